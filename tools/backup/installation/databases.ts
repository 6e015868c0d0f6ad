import type { ServiceDatabase } from '@atrium/dev-server/backing/servers/postgres-databases';

export const MIGRATIONS = {
  auth: new URL('../../../services/auth/migrations', import.meta.url),
  users: new URL('../../../services/users/migrations', import.meta.url),
  projects: new URL('../../../services/projects/migrations', import.meta.url),
  meetings: new URL('../../../services/meetings/migrations', import.meta.url),
  documents: new URL('../../../services/documents/migrations', import.meta.url),
  chat: new URL('../../../services/chat/migrations', import.meta.url),
} satisfies Record<ServiceDatabase, URL>;
export type Service = keyof typeof MIGRATIONS;
export const SERVICES = Object.keys(MIGRATIONS) as Service[];

export const mapServices = <T>(make: (service: Service) => T): Record<Service, T> =>
  Object.fromEntries(SERVICES.map((service) => [service, make(service)])) as Record<Service, T>;

export const toUrlVariable = (service: Service) =>
  `${service.toUpperCase() as Uppercase<Service>}_DATABASE_URL` as const;
