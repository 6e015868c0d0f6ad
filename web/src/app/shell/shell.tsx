import { Menu as MenuIcon } from 'lucide-react';
import type { MouseEvent } from 'react';
import { styled } from 'styled-components';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Logo } from '#ui/logo.tsx';
import { hiddenInPrint, inlineStyles } from '#ui/mixins.ts';
import { SCREEN_TITLE } from '#ui/pages/document-title.ts';
import { theme } from '#ui/theme.ts';
import { CurrentScreen } from '../router/current-screen.tsx';
import { AvailabilityBanner } from './banners/availability-banner.tsx';
import { NewVersionBanner } from './banners/new-version-banner.tsx';
import { TimeZoneBanner } from './banners/time-zone-banner.tsx';
import { usePrefetchChunks } from './loading/prefetch-chunks.ts';
import { AccountMenu } from './navigation/account-menu.tsx';
import { Navigation } from './navigation/navigation.tsx';
import { NavigationDrawer, useNavigationDrawer } from './navigation/navigation-drawer.tsx';
import { DeviceNotices, NotificationBell, NotificationEffects } from './navigation/notification-bell.tsx';
import { QuickAccess, SearchIconButton } from './navigation/quick-access.tsx';
import { ShownLink } from './navigation/shown-link.tsx';
import { TabBar } from './navigation/tab-bar.tsx';
import { UnreadInTab } from './navigation/unread-in-tab.tsx';
import { useLiveUpdates } from './use-live-updates.ts';

const CONTENT = 'content';

/** Adds no history entry: the browser's own jump bypasses the router, whose prompt could then fail. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById(CONTENT)?.focus();
}

export default function Shell() {
  const user = useCurrentUser();
  return (
    <SWRConfig key={user._id} value={swrConfig}>
      <QuickAccess>
        <Layout />
      </QuickAccess>
    </SWRConfig>
  );
}

function Layout() {
  useLiveUpdates();
  usePrefetchChunks();
  const drawer = useNavigationDrawer();
  return (
    <Frame>
      <SkipLink href={`#${CONTENT}`} onClick={skipToContent}>
        Skip to content
      </SkipLink>
      <Side>
        <Navigation topAction={<NotificationBell placement="bottom start" />} />
      </Side>
      <Column>
        <TopBar onOpenNavigation={drawer.open} />
        <AvailabilityBanner />
        <NewVersionBanner />
        <TimeZoneBanner />
        <Content id={CONTENT} tabIndex={-1} aria-labelledby={SCREEN_TITLE}>
          <CurrentScreen />
        </Content>
        <TabBar isMoreOpen={drawer.isOpen} onMore={drawer.open} />
        <NavigationDrawer isOpen={drawer.isOpen} onClose={drawer.close} />
      </Column>
      <NotificationEffects />
      <DeviceNotices />
      <ShownLink />
      <UnreadInTab />
    </Frame>
  );
}

function TopBar({ onOpenNavigation }: { onOpenNavigation: () => void }) {
  const user = useCurrentUser();
  return (
    <Bar>
      <HiddenOnMobile>
        <IconButton label="Open navigation" onPress={onOpenNavigation}>
          <MenuIcon />
        </IconButton>
      </HiddenOnMobile>
      <Logo />
      <Spring />
      <SearchIconButton />
      <NotificationBell placement="bottom end" />
      <AccountMenu user={user} />
    </Bar>
  );
}

const Frame = styled.div`
  display: grid;
  grid-template-columns: 16rem minmax(0, 1fr);
  min-height: 100dvh;
  ${theme.media.compact} {
    grid-template-columns: minmax(0, 1fr);
  }
  @media print {
    display: block;
  }
`;

const SkipLink = styled.a`
  position: fixed;
  top: ${theme.space[2]};
  inset-inline-start: ${theme.space[2]};
  z-index: ${theme.layer.toast};
  padding: ${theme.space[2]} ${theme.space[4]};
  border-radius: ${theme.radius.md};
  background: ${theme.color.surface};
  transform: translateY(-200%);
  &:focus {
    transform: none;
  }
  ${hiddenInPrint}
`;

const Side = styled.aside`
  position: sticky;
  top: 0;
  height: 100dvh;
  display: flex;
  flex-direction: column;
  padding: ${theme.space[5]} ${theme.space[3]} ${theme.space[3]};
  border-inline-end: 1px solid ${theme.color.line};
  background: ${theme.color.sunken};
  overflow-y: auto;
  ${theme.media.compact} {
    display: none;
  }
  ${hiddenInPrint}
`;

const Column = styled.div`
  display: flex;
  flex-direction: column;
  min-width: 0;
  min-height: 100dvh;
  @media print {
    display: block;
    min-height: 0;
  }
`;

const Bar = styled.header`
  display: none;
  ${theme.media.compact} {
    position: sticky;
    top: 0;
    z-index: ${theme.layer.bar};
    ${inlineStyles(1)}
    height: 56px;
    padding: 0 ${theme.space[2]};
    border-bottom: 1px solid ${theme.color.line};
    background: ${theme.color.surface};
    > button,
    > span > button {
      width: 44px;
      height: 44px;
    }
  }
  ${theme.media.small} {
    padding-inline-start: ${theme.space[4]};
  }
  ${hiddenInPrint}
`;

const HiddenOnMobile = styled.span`
  ${theme.media.small} {
    display: none;
  }
`;

const Spring = styled.span`
  flex: 1;
`;

const Content = styled.main`
  flex: 1;
  display: flex;
  flex-direction: column;
  min-width: 0;
  outline: none;
`;
