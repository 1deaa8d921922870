-- Requests that began in the same second and differ only in their IDs, paths and durations are one row: writing a row for
-- each took more than everything else about the log. No released version has the table; the log begins anew.
drop table api_requests;

create table api_requests (
  project_id uuid not null,
  -- In which they began, as in the time of their IDs.
  second timestamp(0) with time zone not null,
  -- The first of the IDs.
  first_id uuid not null,
  method text not null,
  status smallint not null,
  code text,
  key_type text not null check (key_type in ('secret', 'public', 'api')),
  key_id uuid,
  key_name text not null,
  ip text,
  -- {message, errors, suggestion} of a refused request.
  error jsonb,
  ignored_fields text[],
  -- The request IDs, and for each the path without the query, and the duration.
  ids uuid[] not null,
  paths text[] not null,
  durations_ms int[] not null,
  primary key (project_id, second, first_id)
);

create index api_requests_refused on api_requests (project_id, second) where status >= 400;
