import { ArrowLeft } from 'lucide-react';
import { Suspense } from 'react';
import { styled } from 'styled-components';
import { canManageEmoji } from '#entities/user/roles.ts';
import { DateSettings, ShortcutSwitch, ThemePicker } from '#features/settings/device-settings.tsx';
import { NoticesSkeleton } from '#features/settings/notices/notices-skeleton.tsx';
import { PasswordForm } from '#features/settings/password-form.tsx';
import { PreferencesForm } from '#features/settings/preferences-form.tsx';
import { ProfileForm } from '#features/settings/profile-form.tsx';
import { SessionList } from '#features/settings/session-list.tsx';
import { SettingsNav, SettingsSection } from '#features/settings/settings-section.tsx';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Page } from '#ui/pages/page.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';

const EmojiSettings = lazyNamed(() => import('#features/settings/emoji-settings.tsx'), 'EmojiSettings');
const NoticeSettings = lazyNamed(() => import('#features/settings/notices/notice-settings.tsx'), 'NoticeSettings');
const DeviceNotificationSettings = lazyNamed(
  () => import('#features/notifications/device/device-settings.tsx'),
  'DeviceNotificationSettings',
);
const CalendarFeed = lazyNamed(() => import('#features/meetings/calendar-feed.tsx'), 'CalendarFeed');

export default function Settings() {
  const hasEmoji = canManageEmoji(useCurrentUser());
  return (
    <Page
      title="Account Settings"
      subtitle="Profile, security, and preferences"
      actions={
        <ButtonLink to="/" icon={<ArrowLeft />}>
          Back to Dashboard
        </ButtonLink>
      }
    >
      <Columns>
        <SettingsNav />
        <div>
          <SettingsSection title="Profile" lead="This is what your colleagues see.">
            <ProfileForm />
          </SettingsSection>
          <SettingsSection title="Meetings" lead="Your working hours and reminders. Only visible to you.">
            <PreferencesForm />
          </SettingsSection>
          <SettingsSection
            title="Notifications"
            lead="What you are notified about, where, and when. Only visible to you."
          >
            <Suspense fallback={<NoticesSkeleton />}>
              <DeviceNotificationSettings />
              <NoticeSettings />
            </Suspense>
          </SettingsSection>
          <SettingsSection title="Calendar" lead="See your Atrium meetings in your own calendar.">
            <Suspense fallback={<SkeletonRows count={1} />}>
              <CalendarFeed />
            </Suspense>
          </SettingsSection>
          <SettingsSection title="Appearance" lead="How Atrium looks on this device.">
            <ThemePicker />
          </SettingsSection>
          <SettingsSection title="Dates and times" lead="How dates and times are shown on this device.">
            <DateSettings />
          </SettingsSection>
          <SettingsSection title="Keyboard" lead="Shortcuts on this device.">
            <ShortcutSwitch />
          </SettingsSection>
          <SettingsSection title="Password" lead="Changing it signs you out everywhere else.">
            <PasswordForm />
          </SettingsSection>
          <SettingsSection
            title="Active sessions"
            lead="Where you are signed in. Sign out any device you don't recognize."
          >
            <SessionList />
          </SettingsSection>
          {hasEmoji && (
            <SettingsSection title="Emoji" lead="Images that everyone in the workspace can use in Team Chat.">
              <Suspense fallback={<SkeletonRows count={3} />}>
                <EmojiSettings />
              </Suspense>
            </SettingsSection>
          )}
        </div>
      </Columns>
    </Page>
  );
}

const Columns = styled.div`
  display: grid;
  grid-template-columns: max-content minmax(0, 1fr);
  gap: ${theme.space[8]};
  ${theme.media.compact} {
    grid-template-columns: minmax(0, 1fr);
    gap: 0;
  }
`;
