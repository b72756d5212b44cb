import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import {
  isCallExpression,
  isFunctionDeclaration,
  isIdentifier,
  isMethodDeclaration,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
  isVariableStatement,
} from 'typescript/unstable/ast/is'
import { API, type Type } from 'typescript/unstable/sync'
import { ShapeReader } from './shape-reader.ts'
import type { Shape } from './shapes.ts'

/** A statement, or a part of one, whose row type is written by hand. */
export interface DeclaredRow {
  /** `src/features/tours/tours-store.ts readTour`: the file and the function around it. */
  readonly place: string
  readonly line: number
  /** Its text between the values that are put in; empty where it is composed elsewhere. */
  readonly fragments: readonly string[]
  /** Given to the driver as one text, and not made with the query builder's `sql`. */
  readonly isPlainText: boolean
  readonly row: Shape
}

const server = path.resolve(import.meta.dirname, '../..')

/** Whether a source may hold statements of the product: tests write theirs for themselves. */
const isJudged = (file: string): boolean =>
  /^\/(src|seed)\//.test(file.slice(server.length)) &&
  !/(\.test\.ts|\/testing)/.test(file) &&
  /\bsql[<`]|\.query</.test(readFileSync(file, 'utf8'))

/** Every row type in the server's sources that is written by hand, as the compiler understands it. */
export function declaredRows(): DeclaredRow[] {
  const api = new API({ cwd: server })
  try {
    const [project] = api.updateSnapshot({ openProjects: [path.join(server, 'tsconfig.json')] }).getProjects()
    if (!project) throw new Error('The compiler knows no project of the server.')
    const { program, checker } = project
    const sources = program.getSourceFileNames().filter((file) => file.startsWith(server) && isJudged(file))
    const found = sources.flatMap((file) => {
      const source = program.getSourceFile(file)
      return source ? statementsOf(source) : []
    })
    const built = checker.getTypeAtLocation(found.map(({ typed }) => typed))
    const reader = new ShapeReader(checker)
    return found.flatMap(({ place, line, fragments, isPlainText }, index) => {
      const type = isPlainText ? built[index] : rowOfBuilder(built[index], (one) => checker.getTypeArguments(one))
      const row = type ? reader.shapeOf(type) : { isAny: true as const }
      return row.isAny || !row.fields ? [] : [{ place, line, fragments, isPlainText, row }]
    })
  } finally {
    api.close()
  }
}

interface Found {
  readonly place: string
  readonly line: number
  readonly fragments: readonly string[]
  readonly isPlainText: boolean
  /** The expression whose type is the builder of the rows, or the row type as it is written. */
  readonly typed: Node
}

function rowOfBuilder(builder: Type | undefined, argumentsOf: (type: never) => readonly Type[]): Type | undefined {
  return builder?.isTypeReference() ? argumentsOf(builder as never)[0] : undefined
}

function statementsOf(source: SourceFile): Found[] {
  const found: Found[] = []
  const visit = (node: Node, inside: string): void => {
    const name = nameOf(node, source) ?? inside
    const statement = statementOf(node, source)
    if (statement) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      found.push({ ...statement, line: line + 1, place: `${path.relative(server, source.fileName)} ${name}`.trimEnd() })
    }
    node.forEachChild((child) => visit(child, name))
  }
  visit(source, '')
  return found
}

function nameOf(node: Node, source: SourceFile): string | undefined {
  if (isFunctionDeclaration(node) || isMethodDeclaration(node)) return node.name?.getText(source)
  // a constant inside of a function says less than the function
  return isVariableDeclaration(node) && node.parent.parent.parent === source ? node.name.getText(source) : undefined
}

function statementOf(node: Node, source: SourceFile): Omit<Found, 'place' | 'line'> | null {
  if (isTaggedTemplateExpression(node)) {
    const fragments = node.tag.getText(source) === 'sql' ? fragmentsOf(node.template) : null
    return fragments && { fragments, isPlainText: false, typed: node }
  }
  const [type] = (isCallExpression(node) && node.typeArguments) || []
  if (!isCallExpression(node) || !type || !node.expression.getText(source).endsWith('.query')) return null
  const fragments = node.arguments[0] ? fragmentsOf(textOf(node.arguments[0], source)) : null
  return { fragments: fragments ?? [], isPlainText: true, typed: type }
}

/** The text itself: of a statement with a name, and of one that is written above as a constant. */
function textOf(statement: Node, source: SourceFile): Node {
  if (isIdentifier(statement)) return constantOf(statement.text, source) ?? statement
  if (!isObjectLiteralExpression(statement)) return statement
  const text = statement.properties.find((one) => isPropertyAssignment(one) && one.name.getText(source) === 'text')
  return text && isPropertyAssignment(text) ? textOf(text.initializer, source) : statement
}

function constantOf(name: string, source: SourceFile): Node | undefined {
  return source.statements
    .flatMap((one) => (isVariableStatement(one) ? [...one.declarationList.declarations] : []))
    .find((one) => one.name.getText(source) === name)?.initializer
}

function fragmentsOf(template: Node): string[] | null {
  if (isNoSubstitutionTemplateLiteral(template) || isStringLiteral(template)) return [template.text]
  if (!isTemplateExpression(template)) return null
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
}
