// Bundles the page into one file, src/graphveil/report/assets/report.html, which CMake puts into the program. The same
// sources and lockfile give the same bytes. `node build.mjs FILE` writes elsewhere, to compare.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "../src/graphveil/report/assets/report.html");

const bundled = await build({
  entryPoints: [join(here, "src/main.ts")],
  absWorkingDir: here,
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "none",
  metafile: true,
});
const styled = await build({ entryPoints: [join(here, "src/style.css")], minify: true, write: false, charset: "utf8" });

// The licenses of all packages that went in, each text once.
const packages = new Set();
for (const input of Object.keys(bundled.metafile.inputs)) {
  const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) packages.add(found[1]);
}
const texts = new Map();
for (const name of [...packages].sort()) {
  const folder = join(here, "node_modules", name);
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text = readFileSync(join(folder, "LICENSE"), "utf8").trim();
  texts.set(text, [...(texts.get(text) ?? []), `${about.name} ${about.version}`]);
}
const licenses = [...texts].map(([text, names]) => `${names.join(", ")}:\n\n${text}`).join("\n\n----\n\n").replaceAll("--", "- -");

// A script must not hold its own end.
const script = bundled.outputFiles[0].text.trim().replaceAll("</", "<\\/");
const hash = createHash("sha256").update(script).digest("base64");
const parts = {
  STYLE: styled.outputFiles[0].text.trim(),
  SCRIPT: script,
  SCRIPT_HASH: `sha256-${hash}`,
  LICENSES: licenses,
};
const page = readFileSync(join(here, "src/page.html"), "utf8").replace(/%([A-Z_]+)%/g, (_, name) => {
  if (!(name in parts)) throw new Error(`the template wants ${name}`);
  return parts[name];
});
for (const mark of ["@DATA@", "@SUMMARY@"]) {
  if (page.split(mark).length !== 2) throw new Error(`${mark} must be there once`);
}
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
console.log(`${out}: ${page.length} bytes, script ${script.length}`);
