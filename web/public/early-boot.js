// Runs before the first paint; a separate file because the content security policy allows no inline scripts.
(() => {
  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage is blocked: the theme follows the system, and every visit signs in.
      return null;
    }
  };

  const choice = stored('theme') || 'system';
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';

  // During a deployment the page may come from a new pod and its entry script or stylesheet be requested from an old one,
  // which lacks the file: then the page is reloaded. A page that has rendered handles missing chunks itself.
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
  const retryStart = ({ target }) => {
    if (!(target instanceof Element) || !target.matches('script[type="module"], link[rel="stylesheet"]')) return;
    if (isReloading || document.getElementById('root')?.hasChildNodes()) return;
    isReloading = true;
    const missed = count();
    setTimeout(() => {
      count(missed + 1);
      location.reload();
    }, PAUSES_MS[missed] ?? 10_000);
  };
  // Load errors of elements do not bubble.
  window.addEventListener('error', retryStart, true);
  window.addEventListener('load', () => isReloading || count(0));

  const token = stored('access_token');

  /** Whether the token is fresh: `refreshDueAt` of `src/lib/api/tokens.ts`. */
  const isTokenFresh = () => {
    try {
      const { iat, exp } = JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')));
      return Date.now() < Number(stored('atrium:token-came-at')) + (exp - iat - 60) * 1_000;
    } catch {
      return false;
    }
  };

  // Loads chunks and data of a signed-in user in parallel with the entry script, which would request them only when it runs.
  if (token) {
    // For `src/app/app-shell.css`; these screens have another layout.
    const isAuthScreen = /^\/(login|accept-invite|forgot-password|reset-password)\b/.test(location.pathname);
    if (!isAuthScreen) document.documentElement.dataset.signedIn = '';
    const hints = JSON.parse(document.querySelector('meta[name="atrium-signed-in"]')?.content || '{}');
    const [, place, last] = /^(.*\/)([^/]+)$/.exec(location.pathname) ?? [];
    const own = hints[location.pathname] ?? hints[`${place}*`];
    const all = [hints['*'], own].join(' ');
    // `?/`: only for an address without a query.
    const known = location.search ? all : all.replaceAll(' ?/', ' /');
    // The list of notifications counts as seen.
    const isSeen = document.hasFocus();
    const wanted = known
      .split(' ')
      .filter((one) => one && !one.startsWith('?') && (isSeen || !one.startsWith('/notifications?')));
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    const responses = {};
    const bodies = {};
    const canFetch = isTokenFresh();
    for (const one of wanted) {
      if (one.startsWith('/')) {
        const path = one.replace('*', last);
        // Used by `src/lib/api/preloaded-responses.ts`, which repeats failed requests.
        if (canFetch) responses[path] = fetch(`/api${path}`, { headers, signal: AbortSignal.timeout(10_000) });
        // Bodies that arrive before the first render are rendered with it.
        responses[path]
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
    globalThis.preloadedResponses = { token, time: Date.now(), ticks: performance.now(), responses, bodies };
  }
})();

// The first use of `Intl` takes tens of milliseconds on a phone: right after the first paint, while scripts arrive.
requestAnimationFrame(() => setTimeout(() => Intl.DateTimeFormat.supportedLocalesOf('en')));

// The policy allows no eval either. Set before zod loads, so that it does not try and Firefox reports no violation.
globalThis.__zod_globalConfig = { jitless: true };
