// Checks that only libs/config and libs/runtime read the process environment, and the demo, which has nothing of ours.

import ts from 'typescript';

import { isTest, type Finding, type Repository } from '../repository.ts';
import { lineOf, nodesOf, parse } from './syntax.ts';

export function* environmentInSettings(repository: Repository): Generator<Finding> {
  for (const path of repository.sources('apps', 'libs')) {
    if (isTest(path) || /^(?:libs\/(?:config|runtime)|apps\/demo)\//.test(path)) continue;
    const file = parse(repository, path);
    for (const node of nodesOf(file)) {
      if (!readsEnvironment(node)) continue;
      yield {
        rule: 'environment-in-settings',
        path,
        line: lineOf(file, node.getStart()),
        message:
          'declare a setting instead; libs/config and libs/runtime alone read the environment',
      };
    }
  }
}

function readsEnvironment(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    return node.name.text === 'env' && isProcess(node.expression);
  }
  if (ts.isElementAccessExpression(node)) {
    const key = node.argumentExpression;
    return ts.isStringLiteral(key) && key.text === 'env' && isProcess(node.expression);
  }
  if (ts.isVariableDeclaration(node)) {
    return (
      ts.isObjectBindingPattern(node.name) &&
      node.initializer !== undefined &&
      isProcess(node.initializer) &&
      node.name.elements.some((element) => nameIn(element.propertyName ?? element.name) === 'env')
    );
  }
  return ts.isImportSpecifier(node) && importsEnvironment(node);
}

function importsEnvironment(node: ts.ImportSpecifier): boolean {
  const module = node.parent.parent.parent.moduleSpecifier;
  const fromProcess = ts.isStringLiteral(module) && /^(node:)?process$/.test(module.text);
  return fromProcess && nameIn(node.propertyName ?? node.name) === 'env';
}

function isProcess(node: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'process';
  return ts.isIdentifier(node) && node.text === 'process';
}

function nameIn(node: ts.Node): string | undefined {
  return ts.isIdentifier(node) || ts.isStringLiteral(node) ? node.text : undefined;
}
