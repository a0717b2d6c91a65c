// node picture.mjs BROWSER REPORT.html OUT.png: accuracy against epsilon as a sweep’s report has it, for the documentation. For example, of
//   graphveil compare lap,mlp-dp,gap-ndp,gap-edp,gap-inf,mlp --data cora.npz --epsilon 1,2,4,8 --repeats 5 --out sweeps/cora
import { resolve } from "node:path";
import { chromium } from "playwright-core";

const [executablePath, report, out] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1000, height: 1180 } });
await page.goto(`file://${resolve(report)}`);
await page.waitForSelector("html[data-ready=yes]");
await page.locator(".graph .panels").first().screenshot({ path: out });
await browser.close();
