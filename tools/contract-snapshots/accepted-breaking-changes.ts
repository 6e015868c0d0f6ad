/**
 * Intended breaking changes, such as the removal of an event that no stream contains anymore. Maps the reported text,
 * without its advice, to the reason why no client is affected. Cleared at the next release.
 */
const NEW_RESOURCE = 'Clients ignore changes of resources that they do not know';

export const ACCEPTED: Readonly<Record<string, string>> = {
  'GET /changes: response 200.data[].resource may now be "channel"': NEW_RESOURCE,
  'GET /changes: response 200.data[].resource may now be "reply"': NEW_RESOURCE,
};
