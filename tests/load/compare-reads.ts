import { median } from './figures.ts';
import { loadHttp } from './http-load.ts';
import { type MeasuredProcess, measureCpu } from './processes.ts';

/**
 * One response obtained in three ways: from a bare route with the same SQL, from the service, and from the service
 * through the gateway.
 */
export type Read = {
  bare: { process: MeasuredProcess; path: string };
  service: MeasuredProcess;
  gateway: MeasuredProcess;
  path: string;
  headers: Record<string, string>;
};

/** Medians over the rounds. The three ways alternate, so that other load on the machine affects all of them. */
export type Comparison = {
  /** Requests per second of the service divided by those of the bare route, at 32 connections. */
  rate: number;
  perSecond: number;
  /** CPU per request of the service divided by that of the bare route. */
  cpu: number;
  /** CPU per request of service and gateway divided by that of the service alone. */
  gatewayCpu: number;
  /** Milliseconds that the gateway adds on one connection. */
  addedMs: number;
  /** Size of one response, with its headers. */
  bytes: number;
};

const CONNECTIONS = 32;

export async function compareReads(
  { bare, service, gateway, path, headers }: Read,
  { rounds, seconds }: { rounds: number; seconds: number },
  print: (line: string) => void,
): Promise<Comparison> {
  const urls = { bare: bare.process.url + bare.path, direct: service.url + path, viaGateway: gateway.url + path };
  const load = (url: string, connections = CONNECTIONS) => loadHttp({ url, connections, seconds, headers });
  for (const url of Object.values(urls)) await load(url);
  const comparisons: Comparison[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const plain = await measureCpu([bare.process], () => load(urls.bare));
    const direct = await measureCpu([service], () => load(urls.direct));
    const viaGateway = await measureCpu([service, gateway], () => load(urls.viaGateway));
    const idle = await load(urls.direct, 1);
    const idleViaGateway = await load(urls.viaGateway, 1);
    comparisons.push({
      rate: direct.perSecond / plain.perSecond,
      perSecond: direct.perSecond,
      cpu: direct.cpuMs / plain.cpuMs,
      gatewayCpu: viaGateway.cpuMs / direct.cpuMs,
      addedMs: idleViaGateway.medianMs - idle.medianMs,
      bytes: direct.bytes,
    });
    print(
      `  bare ${plain.perSecond.toFixed(0)}/s at ${plain.cpuMs.toFixed(2)} ms CPU, service ${direct.perSecond.toFixed(0)}/s at ${direct.cpuMs.toFixed(2)}, through the gateway ${viaGateway.perSecond.toFixed(0)}/s at ${viaGateway.cpuMs.toFixed(2)}; one connection ${idle.medianMs.toFixed(2)} ms, through the gateway ${idleViaGateway.medianMs.toFixed(2)}`,
    );
  }
  const medianOf = (field: keyof Comparison) => median(comparisons.map((comparison) => comparison[field]));
  return {
    rate: medianOf('rate'),
    perSecond: medianOf('perSecond'),
    cpu: medianOf('cpu'),
    gatewayCpu: medianOf('gatewayCpu'),
    addedMs: medianOf('addedMs'),
    bytes: medianOf('bytes'),
  };
}
