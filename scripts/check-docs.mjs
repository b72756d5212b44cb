import fs from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

/**
 * Fails when a document names a file of this repository that is gone (in backticks with a folder, or as a relative link), when a document or a
 * comment names a heading that is gone (`docs/domain.md, "States"`), when one cites a section of the specification that docs/spec-coverage.md does
 * not have, and when one cites a document that is not in the repository.
 */
export function checkDocs() {
  const missing = documents().flatMap((document) => {
    const text = fs.readFileSync(document, 'utf8')
    return [...references(text)]
      .filter((reference) => !exists(reference, path.dirname(document)))
      .map((reference) => `names ${reference}, which does not exist`)
      .concat(citationFaults(text))
      .map((fault) => `${path.relative(root, document)} ${fault}`)
  })
  const faults = [...missing, ...sources().flatMap(faultsOfSource)]
  for (const line of faults) console.error(line)
  console.log(`[docs] ${faults.length === 0 ? 'ok' : 'FAILED'}`)
  return faults.length === 0
}

/** How documents outside of the repository were once cited; readers cannot look them up. */
const outside =
  /product description|visual direction|visual\/screens|architecture, section|\b(?:product|visual|architecture|office|field)\.md\b/gi

/**
 * What is wrong with the citations of a text: `docs/domain.md, "States"` names a document of this repository and one of its headings.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function citationFaults(text) {
  const papers = [...text.matchAll(outside)]
    .filter(([paper]) => paper !== 'ARCHITECTURE.md')
    .map(([paper]) => `cites "${paper}", which is not in the repository`)
  const headings = [...text.matchAll(/((?:docs\/[\w/.-]+|[A-Z]+)\.md),[\s*/]+"([^"\n]+)"/g)]
    .filter(([, document, heading]) => !headingsOf(document).has(heading))
    .map(([, document, heading]) => `names ${document}, "${heading}", which does not exist`)
  const sections = [...text.matchAll(/\bspec(?:ification)?(?:'s)?, section (\d+)/gi)]
    .filter(
      ([, section]) => ![...headingsOf('docs/spec-coverage.md')].some((heading) => heading.startsWith(`${section} `)),
    )
    .map(([citation]) => `cites "${citation}", which docs/spec-coverage.md does not have`)
  return [...papers, ...headings, ...sections]
}

const known = new Map()
function headingsOf(document) {
  const file = path.join(root, document)
  if (!known.has(file)) {
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
    known.set(file, new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading)))
  }
  return known.get(file)
}

const faultsOfSource = (name) =>
  citationFaults(fs.readFileSync(path.join(root, name), 'utf8')).map((fault) => `${name} ${fault}`)

/** Migrations that were applied never change, nor what is generated from them; this file names what it searches for. */
const exempt = /^apps\/server\/(?:migrations\/|schema\.sql|src\/platform\/db\/tables\.ts)|^scripts\/check-docs/
const generated = /(?:^|\/)(?:node_modules|dist|paraglide|test-results)\//

function sources() {
  return ['apps', 'packages', 'e2e', 'bench', 'scripts', 'deploy'].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true })
      .map((name) => path.posix.join(folder, name.replaceAll('\\', '/')))
      .filter(
        (name) => /\.(?:[cm]?[jt]sx?|css|sql|html|sh)$/.test(name) && !generated.test(name) && !exempt.test(name),
      ),
  )
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
