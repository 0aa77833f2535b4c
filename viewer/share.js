/* share.js - the moment at hand as a link: #step=1112&colours=mark&ones=50&extra=0. */

/* To the moment that the address names, if it names one. */
function readLink() {
    const asked = new URLSearchParams(location.hash.slice(1));
    if (asked.has("step")) seek(Number(asked.get("step")) || 0);
    if (/^(key|mark)$/.test(asked.get("colours"))) state.mode = asked.get("colours");
    const ones = Number(asked.get("ones"));
    if (ones >= 1 && ones <= 99) {
        state.share = ones / 100;
        document.getElementById("cut").value = ones;
    }
    if (asked.has("extra")) state.extras = asked.get("extra") !== "0";
}

function linkHere() {
    const all = new URLSearchParams({ step: Math.floor(state.now), colours: state.mode });
    if (state.mode === "mark") all.set("ones", Math.round(100 * state.share));
    if (!state.extras) all.set("extra", "0");
    return "#" + all;
}

/* Into the address, and to the clipboard where the browser lets a page do so. */
async function shareLink() {
    const said = document.getElementById("copied");
    play(false);
    history.replaceState(null, "", linkHere());
    try {
        await navigator.clipboard.writeText(location.href);
        said.textContent = "link copied";
    } catch (refused) {
        said.textContent = "link is in the address";
    }
    setTimeout(() => (said.textContent = ""), 4000);
}
