import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import '#ui/global.css';
import { Button } from '#ui/button.tsx';
import { Stack } from '#ui/layout/primitives.ts';
import { Logo } from '#ui/logo.tsx';
import { Toaster } from '#ui/overlays/toaster.tsx';
import { Page } from '#ui/pages/page.tsx';
import { chooseTheme, watchTheme } from '#ui/theme-choice.ts';
import { GalleryDisplay } from './display.tsx';
import { GalleryFields } from './fields.tsx';
import { GalleryOverlays } from './overlays.tsx';

/** The design system on one page; development only. */
function Gallery() {
  return (
    <Page
      title="Design system"
      subtitle={<Logo />}
      actions={(['system', 'light', 'dark'] as const).map((choice) => (
        <Button key={choice} onPress={() => chooseTheme(choice)}>
          {choice}
        </Button>
      ))}
    >
      <Stack $gap={6}>
        <GalleryDisplay />
        <GalleryFields />
        <GalleryOverlays />
      </Stack>
      <Toaster />
    </Page>
  );
}

watchTheme();
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <MemoryRouter>
        <Gallery />
      </MemoryRouter>
    </StrictMode>,
  );
