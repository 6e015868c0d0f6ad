// What has to be done before the first paint; a file of its own because the Content-Security-Policy allows no inline script.
(() => {
  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // A browser that refuses storage follows the system, and signs in anew each time.
      return null;
    }
  };

  const choice = stored('theme') || 'system';
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';

  // Who is signed in needs these next to the first script, which would ask for them only once it runs, and after it.
  if (stored('access_token')) {
    const hints = JSON.parse(document.querySelector('meta[name="atrium-signed-in"]')?.content || '{}');
    const { pathname } = location;
    const own = hints[pathname] ?? hints[pathname.replace(/[^/]+$/, '*')];
    for (const piece of [hints['*'], own].join(' ').split(' ').filter(Boolean)) {
      const link = document.createElement('link');
      const href = `/${piece}`;
      document.head.append(Object.assign(link, { rel: 'modulepreload', crossOrigin: '', fetchPriority: 'low', href }));
    }
  }
})();

// The policy allows no eval either; told so before it is loaded, zod does not try, which Firefox would report as a breach.
globalThis.__zod_globalConfig = { jitless: true };
