import { readUnsubscribeKinds } from '@atrium/proto-events/notices/unsubscribe-link';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { KindList } from '#features/settings/notices/kind-list.tsx';
import { UnsubscribeButton } from '#features/settings/notices/unsubscribe-button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { useTitle } from '../router/use-title.ts';
import { AuthLayout } from './auth-layout.tsx';

const TITLES = {
  asking: 'Turn off these emails?',
  done: 'Emails turned off',
  invalid: 'This link is invalid',
};

/** The page of the link in emails. Opening it changes nothing, because mail programs open links to check them. */
export default function Unsubscribe() {
  const { token = '' } = useParams();
  const kinds = readUnsubscribeKinds(token);
  const [state, setState] = useState<keyof typeof TITLES>(kinds.length > 0 ? 'asking' : 'invalid');
  useTitle(TITLES[state]);
  if (state === 'invalid')
    return (
      <AuthLayout title={TITLES.invalid} lead="You can choose which emails you get in Account Settings.">
        <SettingsLink />
      </AuthLayout>
    );
  if (state === 'done')
    return (
      <AuthLayout
        title={TITLES.done}
        lead={
          <span role="status">You won’t get emails about these anymore. You can turn them back on at any time.</span>
        }
      >
        <KindList kinds={kinds} />
        <SettingsLink />
      </AuthLayout>
    );
  return (
    <AuthLayout title={TITLES.asking} lead="They are about the following. Notifications in Atrium stay as they are.">
      <KindList kinds={kinds} />
      <UnsubscribeButton token={token} onDone={() => setState('done')} onInvalid={() => setState('invalid')} />
    </AuthLayout>
  );
}

const SettingsLink = () => (
  <ButtonLink to="/settings#notifications" isFullWidth>
    Open Account Settings
  </ButtonLink>
);
