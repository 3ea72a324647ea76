# SPDX-License-Identifier: Apache-2.0

"""Send requests and print each result as a line of JSON."""

from inside_nova.embedded_nova import program


def main():
    program.patch()
    from inside_nova.fault_matrix import cloud
    from inside_nova.two_projects import attempts

    nova = cloud.MatrixNova('runTest')
    nova.up(list(cloud.HOSTS))
    for result in attempts.run(nova):
        program.tell(result)


if __name__ == '__main__':
    program.run(main)
