import fs from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

/**
 * Which folder may import which. A room is a folder; one that is not named belongs to the nearest named one above it. Between domains (`features/…`)
 * the other one's `index.ts` is the only entry. Where two domains need each other on a screen, `routes/` puts them together.
 */
const sides = {
  'apps/web/src': {
    '.': 'any',
    routes: 'any',
    app: ['identity', 'backend', 'errors', 'addresses', 'ui', '.'],
    records: ['app', 'identity', 'backend', 'errors', 'addresses', 'ui', '.'],
    'plain-records': ['records', 'app', 'identity', 'backend', 'errors', 'addresses', 'ui', '.'],
    identity: ['backend', 'errors', 'addresses', 'ui', '.'],
    backend: ['identity', 'ui', '.'],
    errors: ['backend', 'ui'],
    addresses: ['ui'],
    ui: [],
    features: ['plain-records', 'records', 'app', 'identity', 'backend', 'errors', 'addresses', 'ui', '.'],
  },
  'apps/server/src': {
    '.': 'any',
    platform: ['.'],
    features: ['platform', '.'],
  },
}

/** Domains that may import another one's `index.ts`; no other domain may. */
const doors = {
  'apps/web/src': {
    bookings: ['map', 'notifications'],
    tours: ['map', 'places'],
    departures: ['bookings', 'field-staff', 'notifications'],
    imports: ['bookings'],
    links: ['bookings', 'reports'],
    'field-staff': ['calendar-feeds', 'map', 'tracking'],
    map: ['notifications', 'places', 'tracking'],
    monitoring: ['field-staff', 'notifications', 'places', 'tracking'],
    overview: ['field-staff', 'monitoring', 'places', 'tracking'],
    reports: ['bookings'],
    settings: ['calendar-feeds'],
    travelers: ['bookings', 'imports', 'notifications'],
    vehicles: ['calendar-feeds', 'tracking'],
  },
  'apps/server/src': {},
}

/** Rooms of adapters, and who may know them by name: the modules that compose a side. */
const adapters = {
  'apps/web/src/identity/clerk': ['identity/choose-identity.tsx'],
  'apps/web/src/backend/firebase': ['backend/choose-backend.ts'],
  'apps/server/src/platform/identity/clerk': ['config.ts', 'openings.ts', 'platform/identity/identity.ts'],
  'apps/server/src/platform/firebase': [
    'config.ts',
    'firebase.ts',
    'openings.ts',
    'server.ts',
    'platform/identity/clerk',
  ],
}

/** The domains of the product; folders of these places are called after them, or have one of these names. */
const domains = [
  'audit',
  'bookings',
  'calendar-feeds',
  'departures',
  'duty',
  'equipment',
  'field-staff',
  'identity',
  'imports',
  'links',
  'map',
  'members',
  'monitoring',
  'notifications',
  'overview',
  'places',
  'reports',
  'saved-views',
  'search',
  'settings',
  'tours',
  'tracking',
  'travelers',
  'vehicles',
  'webhooks',
]
const folders = {
  'packages/contract/src': ['live'],
  'apps/server/src/features': [],
  'apps/web/src/features': ['gallery'],
  'apps/web/messages': ['app', 'errors', 'lists', 'plain-records', 'security', 'ui'],
  'e2e/journeys': ['clerk', 'frame', 'hosted'],
}

/** Fails where a file imports a room that it must not import, imports a domain other than by its `index.ts`, or imports itself through others. */
export function checkRooms() {
  const found = Object.keys(sides).flatMap((side) => {
    const imports = importsOf(side)
    return [
      ...strangers(side, imports),
      ...adaptersNamed(side, imports),
      ...circles(imports),
      ...circles(doorGraph(side)),
    ]
  })
  found.push(...strangeFolders())
  for (const line of found) console.error(line)
  console.log(`[rooms] ${found.length === 0 ? 'ok' : 'FAILED'}`)
  return found.length === 0
}

/** @returns Of each source file what it takes from which other one; what is loaded later counts for rooms and not for circles. */
function importsOf(side) {
  const files = fs
    .globSync('**/*.{ts,tsx}', {
      cwd: path.join(root, side),
      exclude: ['**/*.test.ts', '**/*.test.tsx', 'paraglide/**', '**/*.gen.ts'],
    })
    .map((file) => path.posix.join(side, file.split(path.sep).join('/')))
  const known = new Set(files)
  return new Map(
    files.map((file) => {
      const text = fs.readFileSync(path.join(root, file), 'utf8')
      const first = [...text.matchAll(/^(?:import|export)\s(?:[^'"]*?\sfrom\s)?'(\.[^']+)'/gm)]
      const later = [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)]
      const target = ([, name]) => path.posix.join(path.posix.dirname(file), name)
      const keep = (matches) => [...new Set(matches.map(target))].filter((name) => known.has(name))
      return [file, { now: keep(first), later: keep(later) }]
    }),
  )
}

/** The named room of a file, and its domain where it is in one. */
function placeOf(side, file) {
  const parts = file.slice(side.length + 1).split('/')
  const room = parts.length > 1 && parts[0] in sides[side] ? parts[0] : '.'
  return { room, domain: room === 'features' ? parts[1] : undefined }
}

function strangers(side, imports) {
  return [...imports].flatMap(([file, { now, later }]) => {
    const from = placeOf(side, file)
    return [...now, ...later].flatMap((target) => {
      const to = placeOf(side, target)
      const problem = problemBetween(side, from, to, now.includes(target) && target)
      return problem ? [`${file} imports ${target}: ${problem}`] : []
    })
  })
}

function problemBetween(side, from, to, target) {
  const allowed = sides[side][from.room]
  if (from.room !== to.room) {
    return allowed === 'any' || allowed.includes(to.room)
      ? undefined
      : `${from.room} may know ${allowed.join(', ') || 'nobody'}; put what both need into one of these`
  }
  if (from.domain === to.domain) return undefined
  const open = doors[side][from.domain] ?? []
  if (!open.includes(to.domain))
    return `${from.domain} may not use ${to.domain}; lift what both need, or let routes/ put them together`
  // what is loaded later is named by its file, as its chunk is
  return !target || target === `${side}/features/${to.domain}/index.ts`
    ? undefined
    : `the door is features/${to.domain}/index.ts`
}

/** The table of allowed imports itself, in the shape of files. */
function doorGraph(side) {
  const named = Object.entries(doors[side]).flatMap(([domain, others]) => [domain, ...others])
  return new Map(named.map((domain) => [domain, { now: doors[side][domain] ?? [] }]))
}

/** Files that know themselves by a detour, types included: none of them can be read without all of them. */
function circles(imports) {
  const state = new Map()
  const found = []
  const stack = []
  const visit = (file) => {
    state.set(file, 'open')
    stack.push(file)
    for (const target of imports.get(file).now) {
      if (state.get(target) === 'open')
        found.push(`circle: ${[...stack.slice(stack.indexOf(target)), target].join(' → ')}`)
      else if (!state.has(target)) visit(target)
    }
    stack.pop()
    state.set(file, 'done')
  }
  for (const file of imports.keys()) if (!state.has(file)) visit(file)
  return found
}

function adaptersNamed(side, imports) {
  const rooms = Object.entries(adapters).filter(([room]) => room.startsWith(side))
  return [...imports].flatMap(([file, { now, later }]) =>
    [...now, ...later].flatMap((target) => {
      const [room, knowers] = rooms.find(([each]) => target.startsWith(`${each}/`)) ?? []
      const isKnown =
        !room ||
        [room, ...knowers.map((each) => `${side}/${each}`)].some((each) => file === each || file.startsWith(`${each}/`))
      return isKnown ? [] : [`${file} imports ${target}: an adapter is known by ${knowers.join(', ')} alone`]
    }),
  )
}

function strangeFolders() {
  return Object.entries(folders).flatMap(([place, others]) =>
    fs
      .readdirSync(path.join(root, place), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !domains.includes(entry.name) && !others.includes(entry.name))
      .map((entry) => `${place}/${entry.name} is called after no domain (scripts/check-rooms.mjs has the list)`),
  )
}
