/**
 * The demo takes up to a minute and a half a file, so each of its test files runs on one database: the day of the demo on PostgreSQL, where it is three
 * times as fast, its history and its renewal on PGlite.
 */
export const onlyOnPostgres = /(?:^|\/)demo-at-any-hour\.test\.ts$/
export const onlyOnPglite = /(?:^|\/)(?:seed-history|renew-demo)\.test\.ts$/
