import { type Response, send } from '../../../workspace/workspace.ts';
import type { RoleFixture, Who } from './role-fixture.ts';
import type { Row } from './row.ts';

/** Creates what the request of a row needs, and returns a function that sends it as one of the actors. */
export async function prepareCall(
  fixture: RoleFixture,
  who: Who,
  { call, send: prepare }: Row,
): Promise<() => Promise<Response>> {
  const { params = {}, query = {}, body, form, bytes, as = fixture.actors[who] } = await prepare(fixture, who);
  const [method = '', template = ''] = call.split(' ');
  const path = template.replaceAll(/:(\w+)/g, (_whole, name: string) => params[name] ?? '');
  const headers = {
    ...(as && { authorization: `Bearer ${as.token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const content = form ?? bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  const search = new URLSearchParams(query).toString();
  return () =>
    send(`${fixture.url}/api${path}${search && `?${search}`}`, {
      method,
      headers,
      ...(content !== undefined && { body: content }),
    });
}
