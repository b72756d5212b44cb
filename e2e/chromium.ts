import fs from 'node:fs'

/** Debian's places; without a window it is the same engine for half of the browser's own work. */
const usualPlaces = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** The Chromium of journeys and measurements: `CHROMIUM_PATH`, which `npm test` sets, else what Debian has installed. */
export const chromiumPath =
  process.env['CHROMIUM_PATH'] ?? usualPlaces.find((place) => fs.existsSync(place)) ?? '/usr/bin/chromium'
