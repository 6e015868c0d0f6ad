import { sendRequest } from './raw-http.ts';

/** Reads a metric of a gateway; `label` is a value that one of its labels has. Undefined if there is none. */
export async function readMetric(
  { internalUrl }: { internalUrl: string },
  { name, label }: { name: string; label?: string },
): Promise<number | undefined> {
  const { body } = await sendRequest(internalUrl, { path: '/metrics' });
  const labels = label === undefined ? '' : `"${label}"\\S*`;
  const value = new RegExp(`^${name}\\S*${labels} (\\d+)$`, 'm').exec(body.toString())?.[1];
  return value === undefined ? undefined : Number(value);
}
