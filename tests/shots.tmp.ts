import { launchChromium } from './browser/chromium.ts';
const [base = '', who = 'maya', ...paths] = process.argv.slice(2);
const browser = await launchChromium();
for (const [theme, w, h] of [['light', 1440, 900], ['dark', 1440, 900], ['light', 390, 844], ['dark', 390, 844]] as const) {
  const context = await browser.newContext({ viewport: { width: w, height: h }, colorScheme: theme });
  const page = await context.newPage();
  page.on('console', (m) => { if (m.type() === 'error') console.log('console', m.text().slice(0, 200)); });
  await page.goto(base + '/login');
  await page.getByLabel('Email').fill(who + '@atrium.example');
  await page.getByLabel('Password', { exact: true }).fill('Atrium#2026');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
  for (const path of paths) {
    await page.goto(base + path);
    await page.waitForTimeout(1200);
    await page.screenshot({ path: `/tmp/shots/${path.replace(/\W/g, '_')}-${theme}-${w}.png` });
  }
  await context.close();
}
await browser.close();
