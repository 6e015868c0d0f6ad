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

  // While a release is put in place the page may come from a pod of it and its first script, or its style, be asked of one of before, which
  // has no such file: then nothing would ever be drawn. What has been drawn is not touched; it has ways of its own.
  const PAUSES_MS = [500, 1_000, 2_000, 5_000];
  const MISSED = 'atrium:start-missed';
  const count = (next) => {
    try {
      if (next !== undefined) sessionStorage.setItem(MISSED, String(next));
      return Number(sessionStorage.getItem(MISSED));
    } catch {
      return PAUSES_MS.length;
    }
  };
  let isReloading = false;
  const startAnew = ({ target }) => {
    if (!(target instanceof Element) || !target.matches('script[type="module"], link[rel="stylesheet"]')) return;
    if (isReloading || document.getElementById('root')?.hasChildNodes()) return;
    isReloading = true;
    const missed = count();
    setTimeout(() => {
      count(missed + 1);
      location.reload();
    }, PAUSES_MS[missed] ?? 10_000);
  };
  // Failures of what is loaded do not bubble.
  window.addEventListener('error', startAnew, true);
  window.addEventListener('load', () => isReloading || count(0));

  const token = stored('access_token');

  /** Whether it is heard yet: `renewalDueAt` of `src/lib/session/tokens.ts`. */
  const isYoung = () => {
    try {
      const { iat, exp } = JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')));
      return Date.now() < Number(stored('atrium:token-came-at')) + (exp - iat - 60) * 1_000;
    } catch {
      return false;
    }
  };

  // Who is signed in needs these next to the first script, which would ask for them only once it runs, and after it.
  if (token) {
    // As `src/app/app-shell.css` has it; these have another.
    const isEntrance = /^\/(login|accept-invite|forgot-password|reset-password)\b/.test(location.pathname);
    if (!isEntrance) document.documentElement.dataset.signedIn = '';
    const hints = JSON.parse(document.querySelector('meta[name="atrium-signed-in"]')?.content || '{}');
    const [, place, last] = /^(.*\/)([^/]+)$/.exec(location.pathname) ?? [];
    const own = hints[location.pathname] ?? hints[`${place}*`];
    const all = [hints['*'], own].join(' ');
    // `?/`: only where the address has no query of its own.
    const known = location.search ? all : all.replaceAll(' ?/', ' /');
    const wanted = known.split(' ').filter((one) => one && !one.startsWith('?'));
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    const answers = {};
    const bodies = {};
    const isHeard = isYoung();
    for (const one of wanted) {
      if (one.startsWith('/')) {
        const path = one.replace('*', last);
        // Taken by `src/lib/api/preloaded-responses.ts`, which asks again for what could not be had.
        if (isHeard) answers[path] = fetch(`/api${path}`, { headers, signal: AbortSignal.timeout(10_000) });
        // What has come before the screen is drawn is drawn with it.
        answers[path]
          ?.then((answer) => (answer.ok ? answer.clone().json() : undefined))
          .then((body) => {
            bodies[path] = body;
          })
          .catch(() => undefined);
      } else {
        const link = document.createElement('link');
        const href = `/${one}`;
        document.head.append(
          Object.assign(link, { rel: 'modulepreload', crossOrigin: '', fetchPriority: 'low', href }),
        );
      }
    }
    globalThis.preloadedResponses = { token, time: Date.now(), ticks: performance.now(), answers, bodies };
  }
})();

// The policy allows no eval either; told so before it is loaded, zod does not try, which Firefox would report as a breach.
globalThis.__zod_globalConfig = { jitless: true };
