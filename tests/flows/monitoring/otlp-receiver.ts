import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const attribute = z.object({ key: z.string(), value: z.object({ stringValue: z.string().optional() }) });
const exportRequest = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes: z.array(z.unknown()).default([]),
            }),
          ),
        }),
      ),
    }),
  ),
});

export type ReceivedSpan = {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string | undefined;
};

/** Starts a minimal collector that receives spans as OTLP JSON over HTTP. */
export async function startReceiver() {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer(async (req, res) => {
    const body = await json(req);
    bodies.push(JSON.stringify(body));
    for (const { resource, scopeSpans } of exportRequest.parse(body).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) spans.push({ service, ...span });
    }
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    /** Returns all received bodies as text. */
    text: () => bodies.join('\n'),
    /** Lists the spans from this one up to the root of its trace, which comes last. */
    listPathToRoot(span: ReceivedSpan): ReceivedSpan[] {
      const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
      return [span, ...(parent ? this.listPathToRoot(parent) : [])];
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
