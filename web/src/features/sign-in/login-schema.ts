import { loginBody } from '@atrium/proto-events/http/auth';

export const loginSchema = loginBody;
