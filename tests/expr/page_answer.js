/* page_answer.js TOOL SOURCE SEED COUNT - does the page answer as `clearway conflicts --json` does?
 *
 * Questions from a list, and random ones: arrays, locals, conditions, machines, slips of the pen.  The
 * whole answer is compared, fixes and collisions included, and of a refusal its column and its words.
 */
"use strict";
const { spawnSync } = require("child_process");
const [tool, source, seed, trials] = process.argv.slice(2);
const { jsonOf, Trouble, bytesOf } = require("./page_load.js")(source);

let state = BigInt(seed);
function below(n) { /* splitmix64 */
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return Number((z ^ (z >> 31n)) % BigInt(n));
}
const pick = (list) => list[below(list.length)];

/* ---- questions ------------------------------------------------------------------ */

const LISTED = [
    { text: "__shared__ float t[32][32]; t[threadIdx.x][threadIdx.y]", block: [32, 8, 1] },
    { text: "__shared__ float t[32][32]; t[threadIdx.y][threadIdx.x]; t[threadIdx.x][threadIdx.y]", block: [32, 8, 1] },
    { text: "__shared__ half s[N][N]; int c = threadIdx.x; s[c][threadIdx.y]", block: [32, 4, 1], defines: ["N=64"] },
    { text: "__shared__ float a[4][32][32]; a[warp][lane][0]", block: [128, 1, 1] },
    { text: "(t % 32) * 32 + t / 32", block: [256, 1, 1] },
    { text: "t * 48 + i", i: [0, 48] }, { text: "t * t * 32", block: [1024, 1, 1] },
    { text: "t * 4", bytes: 16, machine: "amd" }, { text: "t * 64", machine: "64-banks" },
    { text: "extern __shared__ char s[]; if (t & 1) s[t * 32]" }, { text: "t * 32", bytes: 1, if: "t < 20" },
    { text: "-t * 2 + 62" }, { text: "float s[8]; s[t]" }, { text: "7 / t" }, { text: "t - 1" }, { text: "t * i" },
    { text: "t <" }, { text: "t + blockIdx.y * 32" }, { text: "gridDim.x" }, { text: "blockIdx. + t" }, { text: "N", defines: ["N=M"] }, { text: "t", if: "7 / t" }, { text: "t", if: "0" },
    { text: "__shared__ float a[16][16], b[16][16]; b[threadIdx.x][threadIdx.y] = a0[3] * 2;", block: [16, 16, 1] },
    { text: "__shared__ float a[16][16]; alignas(16) float b[32]; a[0][lane & 15] = b[lane]" },
    { text: "extern __shared__ float s[]; int j = 2 * 4 * tid; if (j < blockDim.x) s[j] += s[j + 4];", block: [256, 1, 1] },
    { text: "__shared__ __align__(16) std::uint32_t s[2048]; s[32 * lane] <<= 1; __syncthreads(); out[0] = s[lane] << 1; ++s[lane * 2];" },
    { text: "__shared__ float4 s[64]; float4 v = s[lane]; s[lane] = v;", machine: "amd" },
    { text: "__shared__ float t[32][32]; float4 v = *(float4 *)&t[lane][0];" }, { text: "float2 s[64]; s[lane].x" }, { text: "extern __shared__ float4 s[]; s[lane * 8].w += s[lane].y", machine: "amd" }, { text: "float s[64]; s[lane].x" }, { text: "half2 s[64]; s[lane * 32 % 64].z" },
    { text: "ushort4 s[64]; s[lane * 2].y = 1; s[0].q" }, { text: "float4 s[64]; s[lane]->x" }, { text: "int4 s[64]; *(int4 *)&s[lane].x" },
    { text: "__shared__ half s[64][64]; *(float4 *)&s[lane][0] = v;" }, { text: "float s[64]; f(&s[lane])" },
    { text: "__shared__ float t[32][32]; float4 v = reinterpret_cast<const float4*>(&t[lane][4])[0];", machine: "amd" },
    { text: "__shared__ half s[64 * 64]; *reinterpret_cast< uint2 * > ( &s[lane * 64] ) += v;" },
    { text: "float s[64]; *(float4 *)&s[lane]" }, { text: "float4 s[64]; *(float *)&s[lane]" }, { text: "float s[64]; ((float2*)&s[2*lane % 32])[1]" },
    { text: "#define N 3\nfloat s[N]; s[lane]" }, { text: "float s[99];\n#pragma unroll\ns[lane * 2] = 0; // x" },
    { text: "__shared__ mytype s[8]; s[t]" }, { text: "__shared__ float ; s[t]" }, { text: "t * N", defines: ["32"] }, { text: "int h[64]; atomicAdd(&h[lane], 1)" }, { text: "float s[8]; for (int k = 0; k < 8; k++) s[k] = 0;" },
    { text: "float s[64]; if (lane < 4) { s[lane] = 0; }" }, { text: "float s[64]; auto v = a & s[lane * 2] && 1 == s[3]; q.s[3]" },
    { text: "float s[8]; float x = u[lane];" }, { text: "float c = 1; t" }, { text: "t * 32 // by columns" }, { text: "/* a */ t // *\n * 8 /* b" }, { text: "t + é" }, { text: " t *\t32\n" }, { text: "float s[4]; s[0]", bytes: 4 }, { text: "t << 30" },
];

const TYPES = ["float", "double", "half", "unsigned char", "float4", "int2", "const volatile short"];
const TERMS = ["threadIdx.x", "threadIdx.y", "tid", "lane", "warp", "t % 8", "lane / 4", "(unsigned)t ^ 5", "c", "N",
    "lane * 2", "31 - lane", "tid >> 2", "3", "7u", "blockDim.x - 1", "i"];
const term = () => (below(4) ? pick(TERMS) : "(" + pick(TERMS) + pick([" + ", " * ", " ^ ", " - "]) + pick(TERMS) + ")");

function randomQuestion() {
    const size = () => pick([4, 8, 16, 32, 33, 64, "N", "N * 2"]);
    const q = { text: "int c = tid % " + pick([4, 8, 32]) + pick(["", "", ", u = c * 2", ", u = 3, v = (u + 1)", ", u"]) + "; ", defines: ["N=" + pick([16, 32, 64])],
        block: pick([[32, 1, 1], [32, 8, 1], [16, 4, 2], [20, 3, 1]]), store: below(4) === 0,
        machine: pick(["nvidia", "nvidia", "nvidia", "amd", "64-banks"]), i: below(3) ? [0, 1] : [-1, 3] };
    if (below(4) === 0) q.if = pick(["lane < 20", "tid % 3", "threadIdx.y == 0"]);
    if (below(3) === 0) {
        q.text += (below(2) ? "" : "if (c > 1) ") + "(" + term() + ") * " + pick([1, 2, 8, 16, 32, 24, 7]) + " + " + term();
        q.bytes = pick([0, 1, 2, 4, 8, 16]);
    } else {
        const dims = 1 + below(3), sizes = Array.from({ length: dims }, size);
        q.text += "__shared__ " + pick(TYPES) + " s" + sizes.map((x) => "[" + x + "]").join("") + ";";
        for (let k = 0; k <= below(2); k++)
            q.text += pick(["", "", "", " float x =", " y +=", " if (c > 1)", " *", " *(float4*)&", " *reinterpret_cast<int2 *>(&", " (x)&"]) + " s" + sizes.map((x) => "[" + term() + " & (" + x + " - 1)]").join("") + pick(["", "", "", " = 3", " += 1", ".y", ".x = 2", "--", " == s", " << 2", " + s[0]"]) + ";";
    }
    if (below(8) === 0) { /* a slip */
        const at = below(q.text.length);
        q.text = q.text.slice(0, at) + pick(["", "(", "]", ";", "+", "x", "0", "="]) + q.text.slice(at + 1);
    }
    return q;
}

/* Kernels and pieces of them, several lines each. */
const KERNELS = [
    { text: "__global__ void f(float *out, const float *in, int n) {\n  __shared__ float t[N][N];\n  for (int j = 0; j < N; j += 8)\n    t[threadIdx.y + j][threadIdx.x] = in[j];\n  __syncthreads();\n  for (int j = 0; j < N; j += 8)\n    out[j] = t[threadIdx.x][threadIdx.y + j];\n}", block: [32, 8, 1], defines: ["N=32"] },
    { text: "#define B 16\n__shared__ float As[B][B], Bs[B][B];\nfor (int a = 0; a < n; a += B) {\n  As[threadIdx.y][threadIdx.x] = A[a];\n  Bs[threadIdx.y][threadIdx.x] = 0;\n  for (int k = 0; k < B; ++k) sum += As[threadIdx.y][k] * Bs[threadIdx.x][k];\n}", block: [16, 16, 1] },
    { text: "extern __shared__ int s[];\nfor (unsigned d = 1; d < blockDim.x; d *= 2) {\n  int k = 2 * d * threadIdx.x;\n  if (k < blockDim.x) { s[k] += s[k + d]; }\n}\nif (tid == 0) out[0] = s[0];", block: [128, 1, 1] },
    { text: "template <typename T, int R = 3> __global__ void g(T *x, int n) { __shared__ T s[64 + 2 * R]; int l = threadIdx.x + R; if (l >= n) return; s[l] = x[l]; if (threadIdx.x < R) { s[l - R] = 0; s[l + 64] = 0; } for (int o = -R; o <= R; o++) x[0] += s[l + o]; }", block: [64, 1, 1], defines: ["T=double"] },
    { text: "__shared__ int h[256]; int k = 0; while (k < 4) { h[tid + 32 * k++] = 0; k += 1; } do { atomicAdd(&h[in[k]], 1); } while (k < n); h = 0;", block: [32, 1, 1] },
    { text: "using V = float2; __shared__ V s[128]; V *p = s; V *q = &s[64]; V *r = &s[tid]; p[tid * 2].x = 1; q[tid] = r[0]; v = tid < 16 ? s[tid * 4] : q[3];", block: [32, 1, 1] },
    { text: "extern __shared__ char raw[]; float (*t)[33] = reinterpret_cast<float (*)[33]>(raw); t[threadIdx.y][threadIdx.x] = t[threadIdx.x][0];", block: [32, 2, 1] },
    { text: "__shared__ float a[8]; for (;;) { a[0] = 1; break; } for (int k = 0; ; k++) { if (k == 3) continue; if (k > 5) break; a[k] = 2; }" },
    { text: "__shared__ float a[8]; while (1) a[0] = 1;" }, { text: "__shared__ float a[8]; { a[0] = 1;" }, { text: "__shared__ float a[8]; a[0] = 1; }" },
    { text: "__shared__ T a[8];\na[0] = 1; return;" }, { text: "__shared__ float a[8];\nfor (int k = 0; k < 8) a[k] = 0;" }, { text: "__shared__ float a[8];\nswitch (x) { }" },
    { text: "__shared__ float a[8]; if (x) a[9] = 1; else a[0] = 2;" }, { text: "__shared__ float a[8]; a[y] = 1; a[z] = 2; return;" }, { text: "__shared__ float a[8];\nint k = 7 / t;\na[k] = 1;\na[t % 8] = 2; x = 3;" },
    { text: "__shared__ float a[64]; for (int k = 0; k < 3; k++) for (int j = t; j < 64; j += 32) a[j ^ k] += i; f = 2;", i: [0, 2], block: [32, 1, 1] },
    { text: "__shared__ half As[64][64]; uint32_t p = f(&As[lane][0]); asm volatile(\"{%0;}\" : \"=r\"(x) : \"r\"(p)); *(uint4 *)&As[lane][8] = v; for (;x;) { break; }" },
    { text: "__shared__ half As[16][64];\nuint32_t p = __cvta_generic_to_shared(&As[lane % 16][lane / 16 * 8]);\n__pipeline_memcpy_async(&As[lane / 8][lane % 8 * 8], &g[8 * t], 16);\nfor (;;) break;" },
    { text: "#define PAD(n) ((n) + ((n) >> 5))\n#define ME threadIdx.x * 2\n__shared__ float s[256];\nint a = ME, b = PAD(a);\ns[PAD(ME)] = s[b] + s[PAD (a, b)] + s[PAD(PAD(1))];\nreturn;" },
    { text: "#define S(r) s[r]\n#define Z 1 / (t - 5)\n#define R(x) R(x) + 1\n__shared__ float s[256]; S(1) = 2; s[R(2)] = 1; s[Z] = 3; s[t] = 1; return;" },
    { text: "#if A\n__shared__ float s[64];\nindex_t t = f(tid);\ns[t] = s[tid];\n#else\nz::type lane(3);\n#endif\ns[lane] = 1;" },
    { text: "__device__ int f(int x) { return x + 1; }\nextern \"C\" { __global__ void k() { __shared__ int s[32], *q; const int N = 4; s[(tid * N) & 31] = f(s[tid]) && (tid < 3 || s[0]) ? 1 : 2; } }" },
    { text: "__shared__ float s[1024]; unsigned k = t; k <<= 1; k >>= 1; k ^= 5u; k %= 64; k |= 1; --k; k -= 1; k *= 4; k /= 2; k &= 1023; s[k] = 0; k = x; s[k] = 1;" },
];

const BODIES = ["s[A] = 0;", "x = s[A];", "s[A] += s[B];", "if (C) s[A] = 1;", "if (C) { s[A] = 1; } else { y = s[B]; }", "k = A & 63;", "int u = B; s[u & 63] = 2;",
    "for (int j = 0; j < 4; j++) { BODY }", "for (unsigned j = A & 7; j < 64; j += 16) BODY", "for (int j = 32; j > 0; j >>= 1) { BODY BODY }", "while (k < 9) { BODY k += 5; }",
    "if (C) return;", "z = C ? s[A] : s[B];", "for (int a = 0; a < n; a++) { BODY }", "do { BODY k++; } while (k < 3);", "u[A] = p[B];", "#define M 3\n", "#define W(x) (x) * 2 + k\n", "s[W(A) & 63] = W(B);", "p[B] = s[A].x;", "{ int k = 5; BODY }"];

function randomKernel() {
    let text = "__global__ void f(float *u, int n) {\n__shared__ " + pick(["float", "double", "half", "float4", "T"]) + " s[64]" + pick(["", ", r[4]"]) + ";\nint k = 1;" +
        pick(["", " float *p = s;", " s[t & 3] = 1;"]) + "\nBODY\nBODY\nBODY\n}";
    for (let n = 0; n < 12 && text.includes("BODY"); n++) text = text.replace("BODY", () => pick(BODIES));
    const index = () => "(" + pick(["tid", "threadIdx.x", "lane", "k", "j", "n", "tid * 2", "tid / 4", "k * 8", "lane ^ 5", "63 - tid", "w"]) + pick([" + k", " * 2", "", "", " + 1u"]) + ")" + pick([" & 63", " & 63", " & 63", " % 64", ""]);
    text = text.replace(/BODY/g, "k++;").replace(/\b[AB]\b/g, index).replace(/\bC\b/g, () => index() + pick([" < 5", " == 3 && n > 4", " > 7 || k", ""]));
    if (below(10) === 0) text = text.replace(pick([";", "{", "}", "(", "]", "for", "int"]), pick(["", "(", "}"]));
    return { text, block: pick([[32, 1, 1], [64, 1, 1], [8, 8, 1]]), defines: below(3) ? ["T=int"] : ["T=uint2", "n=3"], machine: pick(["nvidia", "nvidia", "amd"]) };
}

/* ---- both answers ----------------------------------------------------------------- */

function asked(q) {
    const args = ["conflicts", "--json", "--block", q.block.join("x"), "--machine", q.machine];
    for (const define of q.defines) args.push("-D", define);
    if (q.if) args.push("--if", q.if);
    if (q.bytes) args.push("--bytes", String(q.bytes));
    if (q.i) args.push("--i=" + q.i.join(":"));
    if (q.store) args.push("--store");
    return args.concat("--", q.text);
}

function ofTool(q) {
    const said = spawnSync(tool, asked(q), { encoding: "utf8" });
    return said.status === 0 ? JSON.stringify(JSON.parse(said.stdout)) : said.stderr.split("\n")[0].replace(/; -D gives .*/, ""); /* the page has a field for it */
}

function ofPage(q) {
    try {
        return JSON.stringify(jsonOf(q));
    } catch (trouble) {
        if (!(trouble instanceof Trouble)) throw trouble;
        const where = trouble.where + (trouble.where && trouble.at >= 0 ? ", " : trouble.where ? ": " : "");
        const lines = bytesOf(q.text).slice(0, Math.max(trouble.at, 0)).split("\n"), column = lines[lines.length - 1].length + 1;
        const line = trouble.of === "lines" && q.text.includes("\n") ? "line " + lines.length + ", " : "";
        return "clearway: " + where + (trouble.at >= 0 ? line + "column " + (line ? column : trouble.at + 1) + ": " : "") + trouble.message;
    }
}

let count = 0, wrong = 0, refused = 0, fixed = 0;
function check(given) {
    const q = { block: [given.machine && given.machine !== "nvidia" ? 64 : 32, 1, 1], defines: [], if: null, bytes: 0,
        i: null, store: false, machine: "nvidia", ...given };
    const want = ofTool(q), got = ofPage(q);
    count++;
    refused += want.startsWith("clearway:");
    fixed += want.includes('"fix":{');
    if (want === got || wrong > 3) return;
    wrong++;
    console.log("seed " + seed + ": clearway " + asked(q).map((x) => "'" + x + "'").join(" ") + "\n  page " + got +
        "\n  tool " + want);
}

LISTED.forEach(check);
KERNELS.forEach(check);
while (count < Number(trials)) check(below(3) ? randomQuestion() : randomKernel());
console.log(count + " questions, " + refused + " refused, " + fixed + " mended: " +
    (wrong ? "the page differs" : "page and tool agree"));
process.exit(wrong || refused < 8 || fixed < 8 ? 1 : 0);
