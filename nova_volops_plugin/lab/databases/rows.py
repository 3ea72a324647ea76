# SPDX-License-Identifier: Apache-2.0

"""Fills a database with servers and their block devices."""

# So many block devices has a server.
OF_A_SERVER = 5
# What a host stores of a connected volume has about this length.
CONNECTION = '{"driver_volume_type": "rbd", "data": {"%s": 1}}' % ('x' * 400)

_NUMBERS = {
    'mariadb': 'seq AS number FROM seq_1_to_%d',
    'postgresql': 'number FROM generate_series(1, %d) AS number',
}
_UUID = "CONCAT('%08d-0000-4000-8000-', LPAD(CAST(%s AS CHAR(12)), 12, '0'))"


def statements(server, rows):
    """Return the SQL statements that make them.

    :param server: the name of a kind of server
    :param rows: the number of block devices
    """
    numbers = _NUMBERS[server]
    no = 'FALSE' if server == 'postgresql' else '0'
    count = -(-rows // OF_A_SERVER)
    return (
        'INSERT INTO instances (created_at, uuid, deleted, project_id, '
        'user_id, vm_state, host, node, hostname, hidden, locked, cleaned, '
        'disable_terminate, shutdown_terminate) SELECT CURRENT_TIMESTAMP, '
        "%s, 0, 'project', 'user', 'active', 'host1', 'host1', 'server', "
        '%s, %s, 0, %s, %s FROM (SELECT %s) AS numbers' % (
            _UUID % (1, 'number'), no, no, no, no, numbers % count),
        'INSERT INTO block_device_mapping (created_at, uuid, instance_uuid, '
        'volume_id, attachment_id, source_type, destination_type, '
        'boot_index, device_name, delete_on_termination, deleted, '
        'connection_info) SELECT CURRENT_TIMESTAMP, %s, %s, %s, %s, '
        "'volume', 'volume', -1, '/dev/vdb', %s, 0, '%s' "
        'FROM (SELECT %s) AS numbers' % (
            _UUID % (2, 'number'),
            _UUID % (1, 'MOD(number, %d) + 1' % count),
            _UUID % (3, 'number'), _UUID % (4, 'number'), no, CONNECTION,
            numbers % rows))
