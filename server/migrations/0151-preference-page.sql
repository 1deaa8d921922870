-- What the preference page offers beside topics: {language, timezone, dataDownload}. Absent is false.
alter table projects add column preference_page jsonb not null default '{}';
