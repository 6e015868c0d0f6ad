import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Revocations } from '@atrium/service-kit/directory/revocations';
import type { SecurityLog } from '@atrium/service-kit/http/security-log';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { Config } from './config.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { PasswordHasher } from './secrets/password-hasher.ts';
import type { RefreshTokens } from './secrets/refresh-tokens.ts';

export type Deps = {
  db: Db;
  directory: Directory;
  revocations: Revocations;
  config: Config;
  keys: KeyRing;
  passwords: PasswordHasher;
  refreshTokens: RefreshTokens;
  securityLog: SecurityLog;
  log: Logger;
  wakeResetEmailLoop: () => void;
};
