import type { ProcessListener, ProcessSpec } from '../process-manager/managed-process.ts';
import type { Ports } from '../process-manager/ports.ts';
import type { ReaperClient } from '../process-manager/reaper-client.ts';
import type { Secrets } from '../process-manager/secrets.ts';

export const serverNames = ['postgres', 'redis', 'nats', 'mongo', 'objects', 'mailbox'] as const;
export type ServerName = (typeof serverNames)[number];

export interface Address {
  url: string;
  accessKey?: string;
  secretKey?: string;
  user?: string;
  password?: string;
  webUrl?: string;
}

export const PROVIDER_LABELS = {
  path: 'on the PATH',
  npm: 'from npm',
  container: 'in a container',
  pypi: 'from PyPI',
  'go-build': 'built with Go',
  'built-in': 'part of Atrium',
} as const;
export type ProviderId = keyof typeof PROVIDER_LABELS;

export interface Program {
  provider: ProviderId;
  version: string;
  file: string;
  image?: string;
}

export interface ProviderUnavailable {
  provider: ProviderId;
  reason: string;
}

export type ServerProvider = (context: LauncherContext) => Promise<Program | ProviderUnavailable>;

export interface NatsTls {
  ca_file: string;
  cert_file: string;
  key_file: string;
}

export interface LauncherContext {
  env: NodeJS.ProcessEnv;
  home: string;
  cache: string;
  ports: Ports;
  secrets: Secrets;
  reaper: ReaperClient;
  listener: ProcessListener;
  /** Whether data must survive a crash of the machine. Tests run faster if it is false. */
  durable: boolean;
  /**
   * The prefix of the deployment whose services are NATS users with their own permissions. If undefined, NATS has no
   * authentication, because service test suites share one server and each uses its own prefix.
   */
  natsPrefix?: string;
  natsTls?: NatsTls;
  address(name: ServerName): Promise<Address>;
}

export interface Launch {
  address: Address;
  spec: Omit<ProcessSpec, 'name' | 'failsFast'>;
}

export interface BackingServer {
  name: ServerName;
  title: string;
  envVariables: string;
  getAddressFromEnv(env: NodeJS.ProcessEnv): Address | undefined;
  providers: readonly ServerProvider[];
  launch(program: Program, context: LauncherContext): Promise<Launch>;
  check(address: Address): Promise<void>;
  provision?(address: Address, context: LauncherContext): Promise<void>;
}
