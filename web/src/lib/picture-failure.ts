const FAILURE = 'This picture could not be loaded';

/** Links use the configured address, which may be unreachable or blocked from another host name. */
export function pictureFailure(url: string, page: Pick<Location, 'href' | 'host'> = window.location): string {
  const { host } = new URL(url, page.href);
  if (host === page.host) return FAILURE;
  return `${FAILURE}. Pictures come from ${host}; this page was opened at ${page.host}.`;
}
