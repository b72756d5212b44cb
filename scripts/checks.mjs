import { build } from './build.mjs'
import { checkDocs } from './check-docs.mjs'
import { checkRooms } from './check-rooms.mjs'
import { runTool } from './run-tool.mjs'

const rooms = ['packages/contract', 'apps/server', 'apps/web', 'e2e', 'bench']

/** What must hold without running the product: seconds, no database. The build comes first: it generates messages and the route tree. */
export function checks() {
  return [
    { name: 'build', ok: build() },
    ...rooms.map((room) => ({ name: `types ${room}`, ...runTool('tsc', ['-p', room], { label: `types ${room}` }) })),
    { name: 'lint', ...runTool('oxlint', ['--type-aware', '--deny-warnings'], { label: 'lint' }) },
    { name: 'format', ...runTool('oxfmt', ['--check'], { label: 'format' }) },
    { name: 'dead code', ...runTool('knip', [], { label: 'dead code' }) },
    { name: 'rooms', ok: checkRooms() },
    { name: 'docs', ok: checkDocs() },
  ]
}
