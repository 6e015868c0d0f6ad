import type { Plugin } from 'vite';

const INJECTION = /^__insertCSS\(.*\);?$/m;

/**
 * Sonner writes its styles into the page as it loads, which `style-src 'self'` refuses. Its own stylesheet is imported in
 * ui/toaster.tsx instead, and the call is taken out here; the build fails should a new version write it differently.
 */
export function strictStyles(): Plugin {
  return {
    name: 'strict-styles',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/sonner\/dist\/index\.mjs/.test(id)) return null;
      if (!INJECTION.test(code)) throw new Error('sonner no longer injects its styles where strict-styles expects it');
      return { code: code.replace(INJECTION, ''), map: null };
    },
  };
}
