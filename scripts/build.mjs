import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { runTool } from './run-tool.mjs'

const root = path.resolve(import.meta.dirname, '..')
const web = path.join(root, 'apps/web')
const generated =
  /[\\/](dist|paraglide|cache|node_modules|tiles)[\\/]|project\.inlang[\\/](?!settings)|routeTree\.gen\.ts$/

/** Builds the basemap and the web application when their sources changed since the last build. */
export function build() {
  const wanted = sourceHash()
  const stamp = path.join(web, 'dist/.stamp')
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) return true
  if (!buildTiles()) return false
  const { ok: isBuilt } = runTool('vite', ['build', '--logLevel', 'warn'], { label: 'build', cwd: web })
  const phone = ['build', '--config', 'vite.duty.config.ts', '--logLevel', 'warn']
  const ok = isBuilt && runTool('vite', phone, { label: 'build of the guide’s phone', cwd: web }).ok
  // of what it began with: a file that was changed meanwhile is built the next time
  if (ok) fs.writeFileSync(stamp, wanted)
  return ok
}

function sourceHash() {
  const hash = createHash('sha256')
  for (const folder of ['apps/web', 'packages/contract/src']) {
    const entries = fs.readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      // by their place in here: the folder that all of this is in may be called so as well
      .filter((file) => !generated.test(file) && !/\.test\.tsx?$/.test(file))
    for (const file of files.toSorted()) hash.update(file).update(fs.readFileSync(path.join(root, file)))
  }
  hash.update(fs.readFileSync(path.join(root, 'package-lock.json')))
  return hash.digest('hex')
}

/** The offline basemap changes only with its script and data, so it has a stamp of its own. */
function buildTiles() {
  const sources = path.join(web, 'map')
  if (!fs.existsSync(sources)) return true
  const hash = createHash('sha256')
  for (const entry of fs.readdirSync(sources, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) hash.update(fs.readFileSync(path.join(entry.parentPath, entry.name)))
  }
  const wanted = hash.digest('hex')
  const stamp = path.join(web, 'public/tiles/.stamp')
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) return true
  const startedAt = performance.now()
  const result = spawnNode(path.join(sources, 'build-tiles.ts'))
  if (result) {
    fs.writeFileSync(stamp, wanted)
    console.log(`[basemap] ok in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  return result
}

function spawnNode(file) {
  const { status } = spawnSync(process.execPath, [file], { stdio: 'inherit', cwd: web })
  return status === 0
}
