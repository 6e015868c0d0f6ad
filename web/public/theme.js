// Sets the theme before the first paint; a file of its own because the Content-Security-Policy allows no inline script.
(() => {
  let choice = 'system';
  try {
    choice = localStorage.getItem('theme') || 'system';
  } catch {
    // A browser that refuses storage follows the system.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();

// The same policy allows no eval; told so before it is loaded, zod does not try, which Firefox would report as a breach.
globalThis.__zod_globalConfig = { jitless: true };
