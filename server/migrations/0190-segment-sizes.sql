-- How many contacts each segment had on a day (UTC), and how many the project had. Recorded once a day.
create table segment_sizes (
  project_id uuid not null,
  segment_id uuid not null,
  day date not null,
  contacts int not null,
  all_contacts int not null,
  primary key (project_id, segment_id, day),
  foreign key (project_id, segment_id) references segments (project_id, id) on delete cascade
);
create index segment_sizes_age on segment_sizes (day);
