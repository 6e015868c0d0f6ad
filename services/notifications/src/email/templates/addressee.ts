import { isolate } from '@atrium/proto-events/text/isolate';

export type Addressee = { firstName: string; timezone: string; workspace: string };

export const greeting = ({ firstName }: Pick<Addressee, 'firstName'>): string =>
  firstName === '' ? 'Hello,' : `Hello ${isolate(firstName)},`;
