import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import { styled } from 'styled-components';
import './global.css';
import { Button } from './button.tsx';
import { GalleryDisplay } from './gallery/display.tsx';
import { GalleryFields } from './gallery/fields.tsx';
import { GalleryOverlays } from './gallery/overlays.tsx';
import { Logo } from './logo.tsx';
import { Toaster } from './overlays/toaster.tsx';
import { Page } from './pages/page.tsx';
import { chooseTheme, watchTheme } from './theme-choice.ts';

/** Every part of the design system on one page, for the eye; served in development only. */
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
      <Stack>
        <GalleryDisplay />
        <GalleryFields />
        <GalleryOverlays />
      </Stack>
      <Toaster />
    </Page>
  );
}

const Stack = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 24px;
`;

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
