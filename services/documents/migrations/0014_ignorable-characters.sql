-- Up Migration

-- Searches ignore what is never drawn (Default_Ignorable_Code_Point), as joiners, in what is sought as in what is searched.
create or replace function fold_letters(given text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return lower(regexp_replace(
    normalize(given, nfkd),
    U&'[\0300-\036F\00AD\061C\115F\1160\17B4\17B5\180B-\180F\200B-\200F\202A-\202E\2060-\206F\3164\FE00-\FE0F\FEFF\FFA0\FFF0-\FFF8\+01BCA0-\+01BCA3\+01D173-\+01D17A\+0E0000-\+0E0FFF]+',
    '', 'g'));
end $$;

-- Words with joiners were indexed as several: these texts are read again.
update object_texts set state = 'pending', unfinished = 0, not_before = now()
where state = 'done' and text ~ U&'[\00AD\061C\180B-\180F\200B-\200F\2060-\206F\FE00-\FE0F\FEFF]';

-- Down Migration

create or replace function fold_letters(given text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return lower(regexp_replace(normalize(given, nfkd), U&'[\0300-\036F]+', '', 'g'));
end $$;
