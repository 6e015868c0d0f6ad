import type { PartSpec, ProcessListener } from '../process-manager/managed-process.ts';
import type { Ports } from '../process-manager/ports.ts';
import type { Guard } from '../process-manager/reaper-client.ts';
import type { Secrets } from '../process-manager/secrets.ts';

export const serverNames = ['postgres', 'redis', 'nats', 'mongo', 'objects', 'mailbox'] as const;
export type ServerName = (typeof serverNames)[number];

/** Where a backing server is reached. Only the fields that fit its kind are there. */
export interface Address {
  url: string;
  /** Object store: its credentials. */
  accessKey?: string;
  secretKey?: string;
  /** NATS, where it asks who somebody is: who may do everything. */
  user?: string;
  password?: string;
  /** Mailbox: the web page and its API. */
  webUrl?: string;
}

/** A program that was found, by whichever way. */
export interface Program {
  way: 'on the PATH' | 'from npm' | 'in a container' | 'from PyPI' | 'built with Go' | 'our own';
  version: string;
  /** The executable; with a container the engine's client. */
  file: string;
  image?: string;
}

/** Why one way to get a server is not open on this machine. */
export interface ProviderUnavailable {
  way: string;
  why: string;
}

export type ServerProvider = (toolbox: LauncherContext) => Promise<Program | ProviderUnavailable>;

/** PEM files, in the words of the configuration of NATS. */
export interface NatsTls {
  ca_file: string;
  cert_file: string;
  key_file: string;
}

/** What the ways and the servers have to work with. */
export interface LauncherContext {
  env: NodeJS.ProcessEnv;
  /** The folder that holds the data, ports and secrets of this launcher. */
  home: string;
  /** The user's cache, shared by every checkout. */
  cache: string;
  ports: Ports;
  secrets: Secrets;
  guard: Guard;
  listener: ProcessListener;
  /** Whether data must survive a crash of the machine; a test run has no use for that and is quicker without. */
  durable: boolean;
  /**
   * The prefix of the deployment whose services NATS knows as users, each with its own rights. Without it NATS asks nobody: suites
   * of services share one, with a prefix for each.
   */
  natsPrefix?: string;
  /** Encrypts NATS, which then asks its clients for a certificate, too. */
  natsTls?: NatsTls;
  /** The address of another backing server, once it answers. */
  address(name: ServerName): Promise<Address>;
}

/** What has to run for a server, and where it will be reached. */
export interface Launch {
  address: Address;
  part: Omit<PartSpec, 'name' | 'failsFast'>;
}

/** One row of the table: a backing server, the ways to get it, and how it is run. */
export interface BackingServer {
  name: ServerName;
  title: string;
  /** The variables that point at one which runs already. */
  variables: string;
  given(env: NodeJS.ProcessEnv): Address | undefined;
  /** Tried in this order. */
  ways: readonly ServerProvider[];
  launch(program: Program, toolbox: LauncherContext): Promise<Launch>;
  /** A real question to the server, in its own protocol. */
  answers(address: Address): Promise<void>;
  /** What must be there before anybody uses it; safe to repeat. */
  provision?(address: Address, toolbox: LauncherContext): Promise<void>;
}
