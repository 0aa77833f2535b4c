/* page_load.js - the calculator's scripts, as the page runs them, for tests in node. */
"use strict";
const fs = require("fs"), path = require("path");

const PARTS = ["expr.js", "program.js", "kernel.js", "banks.js", "search.js", "text.js", "answer.js"];

module.exports = (source) => {
    const code = PARTS.map((name) => fs.readFileSync(path.join(source, "viewer", "conflicts", name), "utf8"));
    return new Function('"use strict";\n' + code.join("\n") +
        "\nreturn { parseExpression, evaluate, Wrong, Trouble, jsonOf, bytesOf };")();
};
