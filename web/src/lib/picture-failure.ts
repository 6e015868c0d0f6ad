const FAILURE = 'This picture could not be loaded';

/**
 * Why the picture of a link could not be loaded. Links name the configured address of files, which a browser that opened Atrium under
 * another host name may not reach, or not be allowed to.
 */
export function pictureFailure(url: string, page: Pick<Location, 'href' | 'host'> = window.location): string {
  const { host } = new URL(url, page.href);
  if (host === page.host) return FAILURE;
  return `${FAILURE}. Pictures come from ${host}; this page was opened at ${page.host}.`;
}
