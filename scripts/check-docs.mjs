import fs from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

/** Fails when a document names a file of this repository that is gone: in backticks with a folder, or as a relative link. */
export function checkDocs() {
  const missing = documents().flatMap((document) => {
    const text = fs.readFileSync(document, 'utf8')
    return [...references(text)]
      .filter((reference) => !exists(reference, path.dirname(document)))
      .map((reference) => `${path.relative(root, document)} names ${reference}, which does not exist`)
  })
  for (const line of missing) console.error(line)
  console.log(`[docs] ${missing.length === 0 ? 'ok' : 'FAILED'}`)
  return missing.length === 0
}

function documents() {
  const top = fs.readdirSync(root).filter((name) => name.endsWith('.md'))
  const below = ['docs', 'bench', 'deploy', 'e2e'].flatMap((folder) =>
    fs.existsSync(path.join(root, folder))
      ? fs
          .readdirSync(path.join(root, folder), { recursive: true })
          .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
          .map((name) => path.join(folder, name))
      : [],
  )
  return [...top, ...below].map((name) => path.join(root, name))
}

function* references(text) {
  for (const [, code] of text.matchAll(/`([^`\s]+)`/g)) {
    if (/^(apps|packages|e2e|bench|scripts|docs|deploy)\/[\w./$@{}-]+$/.test(code) && !/[{}*]|\.env$/.test(code))
      yield code
  }
  for (const [, room, file] of text.matchAll(/(?<=[| ,(])(web|server|contract)\/([\w./-]*\w)/g)) {
    yield `${shortened[room]}/${file}`
  }
  for (const [, target] of text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
    if (!/^[a-z]+:/.test(target)) yield target
  }
}

/** How the table of the specification shortens the rooms. */
const shortened = { web: 'apps/web/src', server: 'apps/server/src', contract: 'packages/contract/src' }

const exists = (reference, folder) =>
  fs.existsSync(path.join(root, reference)) || fs.existsSync(path.resolve(folder, reference))
