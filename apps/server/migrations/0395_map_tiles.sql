-- What maps are drawn on instead of the offline basemap: a style or a PMTiles file, at an address that the organization gives. See decision 0106.

alter table org_settings
  add column tiles_source text,
  add column tiles_address text,
  add constraint org_settings_tiles_source_known check (tiles_source in ('style', 'pmtiles')),
  add constraint org_settings_tiles_whole check ((tiles_source is null) = (tiles_address is null));
