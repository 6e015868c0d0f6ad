import { type Answer, send } from '../../workspace.ts';
import type { Who, World } from './role-fixture.ts';
import type { Row } from './row.ts';

/** Makes what the call of a row needs, and answers how to make the call as one of the actors. */
export async function prepareCall(
  world: World,
  who: Who,
  { call, send: prepare }: Row,
): Promise<() => Promise<Answer>> {
  const { params = {}, query = {}, body, form, bytes, as = world.actors[who] } = await prepare(world, who);
  const [method = '', template = ''] = call.split(' ');
  const path = template.replaceAll(/:(\w+)/g, (_whole, name: string) => params[name] ?? '');
  const headers = {
    ...(as && { authorization: `Bearer ${as.token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const content = form ?? bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  const search = new URLSearchParams(query).toString();
  return () =>
    send(`${world.url}/api${path}${search && `?${search}`}`, {
      method,
      headers,
      ...(content !== undefined && { body: content }),
    });
}
