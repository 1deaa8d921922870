-- Which of the requests fit within the limit, one after the other. A large one that doesn't fit leaves room for smaller ones.
create or replace function fitting(room bigint, sizes int[]) returns boolean[] language plpgsql immutable parallel safe as $$
declare
  fits boolean[] := '{}';
  size int;
begin
  foreach size in array sizes loop
    fits := fits || (size <= room);
    if size <= room then room := room - size; end if;
  end loop;
  return fits;
end $$;

create or replace function fitting_sum(room bigint, sizes int[]) returns bigint language sql immutable parallel safe as $$
  select coalesce(sum(size), 0)::bigint from unnest(sizes, fitting(room, sizes)) as asked(size, fits) where fits
$$;
