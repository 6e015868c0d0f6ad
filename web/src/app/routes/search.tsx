import { SearchPage } from '#features/search/page/search-page.tsx';
import { Page } from '#ui/pages/page.tsx';

export default function Search() {
  return (
    <Page title="Search">
      <SearchPage />
    </Page>
  );
}
