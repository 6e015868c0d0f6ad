// Browsers import this module, so it has no schemas.

import { CHAT_RESPONSES } from './chat.ts';
import { DOCUMENT_RESPONSES } from './documents.ts';
import { MEETING_RESPONSES } from './meetings.ts';
import { PROJECT_RESPONSES } from './projects.ts';
import {
  computed,
  type ResponseDefinition,
  type ResponseDefinitions,
  type ResponseRequest,
  UNAFFECTED,
} from './response.ts';
import { USER_RESPONSES } from './users.ts';

/**
 * What events change in the response of each `GET` endpoint, by its path, and of the two searches for free times, which
 * are long and therefore sent as `POST`.
 */
export const RESPONSES: ResponseDefinitions = {
  ...PROJECT_RESPONSES,
  ...USER_RESPONSES,
  ...MEETING_RESPONSES,
  ...DOCUMENT_RESPONSES,
  ...CHAT_RESPONSES,
  '/notifications': computed(() => ['notifications', 'people']),
  // Changes only when an operator rotates the key.
  '/push/key': UNAFFECTED,
  '/auth/invites': computed(() => ['invitations', 'people']),
  '/auth/sessions': computed(() => ['sessions']),
  // Requested before anyone has signed in.
  '/auth/setup': UNAFFECTED,
  // A log that is requested when it is opened.
  '/activity': UNAFFECTED,
  // Statistics that are requested when they are opened.
  '/activity/history': UNAFFECTED,
  // For operators.
  '/health': UNAFFECTED,
  // Requested while a query is typed.
  '/search': UNAFFECTED,
  '/users/search': UNAFFECTED,
  '/projects/search': UNAFFECTED,
  '/tasks/search': UNAFFECTED,
  '/meetings/search': UNAFFECTED,
  '/documents/search': UNAFFECTED,
};

const PATTERNS = Object.entries(RESPONSES)
  .map(([path, definition]) => ({ segments: path.split('/'), definition }))
  // Fixed segments take precedence over parameters, as in the router.
  .sort((a, b) => countParameters(a.segments) - countParameters(b.segments));

type MatchedResponse = { definition: ResponseDefinition; request: Omit<ResponseRequest, 'viewer'> };

/** Finds the definition of a request, such as `/projects?status=on-hold`. */
export function findResponse(pathWithQuery: string): MatchedResponse | undefined {
  const [path = '', query = ''] = pathWithQuery.split('?', 2);
  const segments = path.split('/');
  for (const { segments: pattern, definition } of PATTERNS) {
    const params = matchSegments(pattern, segments);
    if (params) return { definition, request: { params, query: new URLSearchParams(query) } };
  }
  return undefined;
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}

function countParameters(segments: readonly string[]): number {
  return segments.filter((segment) => segment.startsWith(':')).length;
}
