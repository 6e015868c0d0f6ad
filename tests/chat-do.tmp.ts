import { launchChromium } from './browser/chromium.ts';
const base = 'http://localhost:4700';
const browser = await launchChromium();
const shot = (page: any, name: string) => page.screenshot({ path: `/tmp/chatshots/do-${name}.png` });
async function login(who: string, size = { width: 1440, height: 900 }, colorScheme: 'light' | 'dark' = 'light') {
  const context = await browser.newContext({ viewport: size, locale: 'en-GB', colorScheme });
  const page = await context.newPage();
  page.setDefaultTimeout(10000);
  page.on('console', (m) => { if (m.type() === 'error') console.log(who, 'console', m.text().slice(0, 300)); });
  page.on('pageerror', (e) => console.log(who, 'pageerror', e.message));
  await page.goto(base + '/login');
  await page.getByLabel('Email').fill(who + '@atrium.example');
  await page.getByLabel('Password', { exact: true }).fill('Atrium#2026');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
  return page;
}
const api = (page: any, method: string, path: string, body?: unknown) => page.evaluate(async ([m, p, b]: any) => {
  const r = await fetch('/api' + p, { method: m, headers: { 'content-type': 'application/json', authorization: 'Bearer ' + localStorage.getItem('access_token') }, ...(b ? { body: JSON.stringify(b) } : {}) });
  return r.status === 204 ? null : r.json();
}, [method, path, body]);
const maya = await login('maya');
const lena = await login('lena');
await maya.goto(base + '/chat'); await lena.goto(base + '/chat');
const log = (p: any) => p.getByRole('log');
const name = 'long-' + Math.random().toString(36).slice(2, 6);
const users = await api(maya, 'GET', '/users?search=lena&limit=5');
const lenaId = users.data[0]._id;
const conv = await api(maya, 'POST', '/chat/conversations', { type: 'group', title: name, participants: [lenaId] });
await lena.getByText(name).first().waitFor(); console.log('conversation:new arrives');
for (let i = 1; i <= 230; i++) { const a = await api(lena, 'POST', '/chat/messages', { conversation: conv._id, content: `line ${i}` + (i % 9 === 0 ? '\nwith another line https://example.org/x, and more words to make it wrap '.repeat(3) : '') }); if (!a._id) { console.log(i, a); break; } }
await maya.waitForTimeout(800);
const row = maya.locator('section[aria-label=Conversations] ul a').filter({ hasText: name });
console.log('row', await row.textContent(), '| nav', await maya.getByRole('navigation').getByRole('link', { name: /Team Chat/ }).textContent());
await row.click();
await maya.waitForTimeout(1500);
await shot(maya, '1-opened-unread');
const pos = () => maya.evaluate(() => { const e = document.querySelector('[role=log]')!; return [Math.round(e.scrollTop), e.scrollHeight - e.clientHeight]; });
console.log('pos after open', await pos(), '| nav', await maya.getByRole('navigation').getByRole('link', { name: /Team Chat/ }).textContent(), '| new', await log(maya).getByText(/New/).count());
// back to end, scroll up stepwise
const jump = maya.getByRole('button', { name: 'Jump to latest' });
if (await jump.count()) { await jump.click(); await maya.waitForTimeout(500); }
console.log('pos after jump', await pos(), await jump.count());
for (let i = 0; i < 40; i++) { await maya.mouse.move(900, 400); await maya.mouse.wheel(0, -700); await maya.waitForTimeout(60); }
await maya.waitForTimeout(600);
for (let i = 0; i < 40; i++) { await maya.mouse.wheel(0, -700); await maya.waitForTimeout(60); }
await maya.waitForTimeout(600);
console.log('pos after scrolling up', await pos(), 'line 1 there', await log(maya).getByText('line 1', { exact: true }).count());
await shot(maya, '2-scrolled-up');
// live while scrolled up
await api(lena, 'POST', '/chat/messages', { conversation: conv._id, content: 'fresh while up' });
await maya.waitForTimeout(500);
console.log('pos stays', await pos(), 'jump', await jump.count());
await jump.click(); await maya.waitForTimeout(700);
await log(maya).getByText('fresh while up').waitFor();
console.log('pos at end', await pos());
// send, shift+enter
const box = maya.getByRole('textbox', { name: /Message/ });
await box.fill('first line'); await box.press('Shift+Enter'); await box.pressSequentially('second line');
await lena.getByText(name).first().click();
await lena.waitForTimeout(800);
const lbox = lena.getByRole('textbox', { name: /Message/ });
await lbox.pressSequentially('ab');
await maya.getByText('Lena is typing…').waitFor({ timeout: 3000 });
await shot(maya, '3-typing-and-multiline');
await box.press('Enter'); await maya.waitForTimeout(600);
console.log('sent once', await log(maya).getByText('second line').count(), 'lena', await log(lena).getByText('second line').count(), 'box', JSON.stringify(await box.inputValue()), await pos());
// drafts
await box.fill('a draft'); await maya.locator('section[aria-label=Conversations] ul a').filter({ hasText: 'lunch' }).click(); await maya.waitForTimeout(600);
console.log('other empty', JSON.stringify(await maya.getByRole('textbox', { name: /Message/ }).inputValue()));
await row.click(); await maya.waitForTimeout(600);
console.log('draft back', JSON.stringify(await box.inputValue()), await pos()); await box.fill('');
// failure
await maya.route('**/api/chat/messages', (r) => r.abort());
await box.fill('will fail'); await box.press('Enter');
await maya.waitForTimeout(800); await shot(maya, '4-failed');
console.log('restored', JSON.stringify(await box.inputValue()), 'in log', await log(maya).getByText('will fail').count());
await maya.unroute('**/api/chat/messages'); await box.press('Enter'); await log(maya).getByText('will fail').waitFor();
// edit
const mine = maya.getByRole('article').filter({ hasText: 'will fail' });
await mine.hover(); await maya.waitForTimeout(200); await shot(maya, '5-hover');
await mine.getByRole('button', { name: 'Message actions' }).click(); await maya.getByRole('menuitem', { name: 'Edit' }).click();
await maya.waitForTimeout(300);
await maya.getByRole('textbox', { name: 'Edit message' }).fill('was edited'); await shot(maya, '6-editing'); await maya.keyboard.press('Enter');
await log(lena).getByText('was edited').waitFor(); console.log('edit arrives');
// delete by admin of lena's
const hers = maya.getByRole('article').filter({ hasText: 'fresh while up' });
await hers.hover(); await hers.getByRole('button', { name: 'Message actions' }).click(); await maya.getByRole('menuitem', { name: 'Delete' }).click();
await maya.waitForTimeout(300); await maya.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
await log(lena).getByText('This message was deleted').waitFor(); console.log('tombstone arrives');
await maya.mouse.move(5, 5);
await maya.waitForTimeout(300); await shot(maya, '7-after');
// info: remove lena
await maya.getByRole('button', { name: 'Info' }).click();
await maya.getByRole('button', { name: 'Remove Lena Brandt' }).click();
await lena.getByText(/removed from conversation/).first().waitFor(); await maya.waitForTimeout(500);
await shot(lena, '8-removed'); await shot(maya, '9-removed-other');
console.log('lena url', lena.url());
await maya.getByRole('button', { name: 'Add participants' }).click(); await maya.waitForTimeout(600);
await maya.getByRole('option', { name: /Lena/ }).click(); await shot(maya, '10-adding');
await maya.getByRole('button', { name: 'Add', exact: true }).click();
await maya.getByText('Lena Brandt added to the conversation').first().waitFor(); await lena.getByText(name).first().waitFor(); console.log('added back');
await maya.keyboard.press('Escape'); await maya.waitForTimeout(400);
await maya.getByRole('button', { name: 'Delete', exact: true }).click(); await maya.waitForTimeout(400); await shot(maya, '11-delete');
await maya.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click(); await maya.waitForTimeout(800); await shot(maya, '12-deleted');
console.log('lena list has it', await lena.locator('section[aria-label=Conversations]').getByText(name).count(), 'maya url', maya.url());
await browser.close();
