import { median } from './figures.ts';
import { type Load, loadHttp } from './http-load.ts';
import { type MeasuredProcess, measureCpu } from './processes.ts';

/**
 * One response obtained in four ways: from a bare route with the same SQL, from the service, and from the service through
 * a bare proxy and through the gateway.
 */
export type Read = {
  bare: { process: MeasuredProcess; path: string };
  service: MeasuredProcess;
  proxy: MeasuredProcess;
  gateway: MeasuredProcess;
  path: string;
  headers: Record<string, string>;
  /** Other ways to obtain it, by name. */
  others?: Record<string, { process: MeasuredProcess; path: string }>;
};

/** Medians over the rounds. The ways alternate, so that other load on the machine affects all of them. */
export type Comparison = {
  /** Requests per second of the service divided by those of the bare route, at 32 connections. */
  rate: number;
  perSecond: number;
  /** CPU per request of the service divided by that of the bare route. */
  cpu: number;
  /** CPU per request of the gateway, without the service, divided by that of the bare proxy. */
  gatewayCpu: number;
  /** Milliseconds that the gateway adds on one connection. */
  addedMs: number;
  /** Size of one response, with its headers. */
  bytes: number;
  /** Requests per second and CPU per request of the service divided by those of the other ways. */
  others: Record<string, Pick<Comparison, 'rate' | 'cpu'>>;
};

const CONNECTIONS = 32;

export async function compareReads(
  { bare, service, proxy, gateway, path, headers, others = {} }: Read,
  { rounds, seconds }: { rounds: number; seconds: number },
  print: (line: string) => void,
): Promise<Comparison> {
  const urls = {
    bare: bare.process.url + bare.path,
    direct: service.url + path,
    viaProxy: proxy.url + path,
    viaGateway: gateway.url + path,
  };
  const otherUrls = Object.values(others).map((other) => other.process.url + other.path);
  const load = (url: string, connections = CONNECTIONS) => loadHttp({ url, connections, seconds, headers });
  for (const url of [...Object.values(urls), ...otherUrls]) await load(url);
  const comparisons: Comparison[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const plain = await measureCpu([bare.process], () => load(urls.bare));
    const direct = await measureCpu([service], () => load(urls.direct));
    const viaProxy = await measureCpu([proxy], () => load(urls.viaProxy));
    const viaGateway = await measureCpu([gateway], () => load(urls.viaGateway));
    const idle = await load(urls.direct, 1);
    const idleViaGateway = await load(urls.viaGateway, 1);
    const otherLoads: Record<string, CpuLoad> = {};
    for (const [name, other] of Object.entries(others))
      otherLoads[name] = await measureCpu([other.process], () => load(other.process.url + other.path));
    comparisons.push({
      ...divide(direct, plain),
      perSecond: direct.perSecond,
      gatewayCpu: viaGateway.cpuMs / viaProxy.cpuMs,
      addedMs: idleViaGateway.medianMs - idle.medianMs,
      bytes: direct.bytes,
      others: Object.fromEntries(Object.entries(otherLoads).map(([name, other]) => [name, divide(direct, other)])),
    });
    const loads = { bare: plain, service: direct, 'bare proxy': viaProxy, gateway: viaGateway, ...otherLoads };
    const rates = Object.entries(loads).map(
      ([name, { perSecond, cpuMs }]) => `${name} ${perSecond.toFixed(0)}/s at ${cpuMs.toFixed(2)} ms CPU`,
    );
    print(
      `  ${rates.join(', ')}; one connection ${idle.medianMs.toFixed(2)} ms, through the gateway ${idleViaGateway.medianMs.toFixed(2)}`,
    );
  }
  const medianOf = (read: (comparison: Comparison) => number) => median(comparisons.map(read));
  return {
    rate: medianOf(({ rate }) => rate),
    perSecond: medianOf(({ perSecond }) => perSecond),
    cpu: medianOf(({ cpu }) => cpu),
    gatewayCpu: medianOf(({ gatewayCpu }) => gatewayCpu),
    addedMs: medianOf(({ addedMs }) => addedMs),
    bytes: medianOf(({ bytes }) => bytes),
    others: Object.fromEntries(
      Object.keys(others).map((name) => [
        name,
        {
          rate: medianOf((comparison) => comparison.others[name]?.rate ?? Number.NaN),
          cpu: medianOf((comparison) => comparison.others[name]?.cpu ?? Number.NaN),
        },
      ]),
    ),
  };
}

type CpuLoad = Load & { cpuMs: number };

const divide = (a: CpuLoad, b: CpuLoad) => ({ rate: a.perSecond / b.perSecond, cpu: a.cpuMs / b.cpuMs });
