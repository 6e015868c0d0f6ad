import * as contract from '@atrium/proto-events/http/auth';
import { handle } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { originOf } from '../sessions/origin.ts';
import { getSetup } from './get-setup.ts';
import { login } from './login.ts';
import { register } from './register.ts';

export const accountRoutes = (deps: Deps) => [
  handle(contract.getSetup, () => getSetup(deps)),
  handle(contract.login, ({ body }, _caller, { req }) => login(deps, { body, origin: originOf(req) })),
  handle(contract.register, ({ body }, _caller, { req }) => register(deps, body, originOf(req))),
];
