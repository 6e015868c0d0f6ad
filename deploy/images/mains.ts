import { services } from '@atrium/dev-server/system/services';

/** Entry points of images other than `services/<name>/src/main.ts`. */
const MAINS: Readonly<Record<string, string>> = {
  gateway: 'gateway/src/main.ts',
  mailbox: 'tools/mail-catcher/main.ts',
  backup: 'tools/backup/main.ts',
};

/** Every Atrium image: `atrium/<name>`. */
export const images: readonly string[] = [...services.map(({ name }) => name), ...Object.keys(MAINS)];

export const getEntryPoint = (name: string): string => MAINS[name] ?? `services/${name}/src/main.ts`;
