import { expect } from '@jest/globals';
import { send } from '../../workspace/workspace.ts';
import type { Attack } from './attack.ts';

export const upperCase: Attack = {
  name: 'a path in upper case has the same rate limit and headers',
  async run({ url }) {
    const paths = ['/api/client-errors', '/API/client-errors', '/Api/Client-Errors/'];
    const answers = await Promise.all(
      Array.from({ length: 45 }, (_, n) =>
        send(url + paths[n % paths.length], {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.19.0.1' },
          body: '{"message":"x"}',
        }),
      ),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(204), count(429)]).toEqual([30, 15]);
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(Array(45).fill('no-store'));
  },
};
